"""Writes the portable artifacts of this folder with jaxlib: each program at several versions of StableHLO, and the text that
jaxlib reads from the newest. `python ir/tests/bytecode/generate.py`. Wants the package flatbuffers."""

import pathlib

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(?=ir/tests/bytecode)")
FOLDER = pathlib.Path(__file__).resolve().parent
VERSIONS = ["1.0.0", "1.5.0", "1.9.0", "1.13.7", stablehlo.get_current_version()]


def control(x, n):
    def step(c, t):
        return jnp.tanh(c + t), c.sum()

    def inner(n, x):
        return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] * x[0]), (0, x))[1]

    y, sums = lax.scan(step, x, jnp.arange(3.0))
    return lax.cond(n > 2, lambda y: inner(n, y), lambda y: -y, y), sums


def moving(x, k, i):
    y = lax.conv_general_dilated(x, k, (2, 1), [(1, 0), (0, 1)], rhs_dilation=(1, 2))
    z = y[:, i].at[0].add(2.0)
    w = lax.reduce_window(z, -jnp.inf, lax.max, (1, 2, 2, 2), (1, 1, 1, 1), "VALID")[0]
    s = jnp.sort(w, axis=1)
    return jnp.einsum("abc,abd->acd", s, s, precision="highest"), jnp.cumsum(s, axis=2)


def numbers(x):
    a = jnp.array([True, False, True, True, False, False, True, False, True])
    b = jnp.array([0.5, -0.0, jnp.inf, jnp.nan], jnp.bfloat16)
    c = jnp.array([1 + 2j, -3j], jnp.complex64)
    d = jnp.array([1, -2, 7], jnp.int4)
    e = jnp.full((3, 2), 7, jnp.uint8)
    return jnp.where(a, x, 1.0), b, c * c, d, e, x.astype(jnp.float8_e4m3fn), jnp.fft.rfft(x)


def calls(a):
    return jnp.linalg.cholesky(a), jnp.linalg.eigh(a), jax.jit(lambda x: jax.nn.relu(x) + 1)(a)


def callback(x):
    """Calls with layouts of operands alone, and with attributes of every kind."""
    jax.debug.print("x {}", x)
    call = jax.ffi.ffi_call("target", jax.ShapeDtypeStruct((3,), jnp.float32), has_side_effect=True)
    return call(x, n=np.int64(3), s='a"b\\\nc\u00e9')


TYPES = """
module @types {
  sdy.mesh @mesh = <["x"=1, "y"=1]>
  func.func public @main(%a: tensor<4x4xf32>, %n: tensor<i32>, %b: tensor<?x4xf32, #stablehlo.bounds<4, ?>>, %t: tuple<tensor<f32>, tuple<tensor<2xi32>, tensor<4x4xf32>>>) -> (tensor<4x4xf32>, tensor<?x4xf32, #stablehlo.bounds<4, ?>>, tensor<2xi32>) {
    %v = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<4x4xf32>, tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<4, ?>>
    %w = stablehlo.add %v, %b : tensor<?x4xf32, #stablehlo.bounds<4, ?>>
    %p = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tuple<tensor<2xi32>, tensor<4x4xf32>>>) -> tuple<tensor<2xi32>, tensor<4x4xf32>>
    %i = stablehlo.get_tuple_element %p[0] : (tuple<tensor<2xi32>, tensor<4x4xf32>>) -> tensor<2xi32>
    %c = sdy.sharding_constraint %a <@mesh, [{?}, {"y"}p1], replicated={"x"}> : tensor<4x4xf32>
    return %c, %w, %i : tensor<4x4xf32>, tensor<?x4xf32, #stablehlo.bounds<4, ?>>, tensor<2xi32>
  }
}
"""
"""What JAX's functions do not send: bounded sizes, tuples of tuples, constraints with open and ranked axes."""


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def programs():
    yield "control", jax.jit(control, donate_argnums=0).lower(f32(3), jax.ShapeDtypeStruct((), jnp.int32))
    yield "moving", jax.jit(moving).lower(f32(1, 2, 8, 8), f32(3, 2, 2, 2), jax.ShapeDtypeStruct((2,), jnp.int32))
    yield "numbers", jax.jit(numbers).lower(f32(9))
    yield "callback", jax.jit(callback).lower(f32(3))
    yield "calls", jax.jit(calls).lower(f32(3, 3))
    mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    sharded = jax.shard_map(
        lambda x: lax.psum(jnp.sin(x), "x"), mesh=mesh, in_specs=spec.spec, out_specs=jax.sharding.PartitionSpec()
    )
    yield "sharded", jax.jit(sharded, in_shardings=spec).lower(f32(4))


def main():
    context = jax_mlir.make_ir_context()
    with context:
        texts = [(name, lowered.as_text(debug_info=True)) for name, lowered in programs()]
        for name, text in [*texts, ("types", TYPES)]:
            module = ir.Module.parse(text)
            for version in VERSIONS:
                data = stablehlo.serialize_portable_artifact(module, version, True)
                (FOLDER / f"{name}.{version}.mlirbc").write_bytes(data)
            newest = stablehlo.deserialize_portable_artifact(context, data)
            (FOLDER / f"{name}.mlir").write_text(newest.operation.get_asm(enable_debug_info=True))
    shapes = f32(1, 2, 8, 8), f32(3, 2, 2, 2), jax.ShapeDtypeStruct((2,), jnp.int32)
    exported = jax.export.export(jax.jit(moving))(*shapes)
    (FOLDER / "exported.bin").write_bytes(exported.serialize())
    with context:
        module = stablehlo.deserialize_portable_artifact(context, bytes(exported.mlir_module_serialized))
        (FOLDER / "exported.mlir").write_text(module.operation.get_asm(enable_debug_info=True))


if __name__ == "__main__":
    main()
