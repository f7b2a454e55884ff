"""Writes promotion.txt: jax.numpy.promote_types of every pair of element types, 64-bit types enabled. JAX 0.10.2.

A line is `left right result`; pairs that JAX refuses to promote implicitly (8-bit floats, 4-bit integers) are left out.
"""
import jax, jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
names = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2": "float8_e5m2", "f8E4M3": "float8_e4m3", "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E5M2FNUZ": "float8_e5m2fnuz", "f8E3M4": "float8_e3m4",
    "complex<f32>": "complex64", "complex<f64>": "complex128", "i4": "int4", "i8": "int8", "i16": "int16",
    "i32": "int32", "i64": "int64", "ui4": "uint4", "ui8": "uint8", "ui16": "uint16", "ui32": "uint32",
    "ui64": "uint64", "i1": "bool",
}
ours = {jnp.dtype(v): k for k, v in names.items()}
with open("promotion.txt", "w") as out:
    for a in names:
        for b in names:
            try:
                result = jnp.promote_types(names[a], names[b])
            except jax.errors.JaxRuntimeError:
                raise
            except Exception:  # TypePromotionError
                continue
            print(a, b, ours[jnp.dtype(result)], file=out)
