"""Writes the shapes and rules in this folder: what JAX lowers a function to, and what it lowers its derivative to.

Run it with JAX installed, in this folder, when a new release of JAX lowers one of them differently:
    python3 generate.py
Each file holds, per element type T, a function `@T`, the shape, and `@T_rule`, the function and its derivative: arguments, then
tangents, to result, then tangent. Both are lowered for vectors of 61 elements; what has 61 elements may have any shape.
"""

import os
import re

os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.export
import jax.numpy as jnp
import jax.scipy.special as special
import numpy as np
from jax import lax
from jax._src.scipy.special import _xlogx

ALL = ["f16", "bf16", "f32", "f64"]
WIDE = ["f32", "f64"]
TYPES = {"f16": jnp.float16, "bf16": jnp.bfloat16, "f32": jnp.float32, "f64": jnp.float64}

# Name, function, number of arguments, element types. Where one shape is part of another, the larger comes first.
FUNCTIONS = [
    ("relu", jax.nn.relu, 1, ALL),
    ("relu6", jax.nn.relu6, 1, ALL),
    ("logaddexp", jnp.logaddexp, 2, ALL),
    ("logaddexp2", jnp.logaddexp2, 2, ALL),
    ("logistic", lax.logistic, 1, ALL),
    ("logit", special.logit, 1, ALL),
    ("log1mexp", jax.nn.log1mexp, 1, ALL),
    ("xlogx", _xlogx, 1, ALL),
    ("xlogy", special.xlogy, 2, ALL),
    ("xlog1py", special.xlog1py, 2, ALL),
    ("i0", jnp.i0, 1, WIDE),
    ("bessel_i0e", lax.bessel_i0e, 1, WIDE),
    ("log_ndtr", special.log_ndtr, 1, WIDE),
    ("igamma", lax.igamma, 2, WIDE),
    ("igammac", lax.igammac, 2, WIDE),
    ("frexp", lambda x: jnp.frexp(x)[0], 1, ALL),
    ("erfcx", special.erfcx, 1, WIDE),
    ("dawsn", special.dawsn, 1, WIDE),
]
# Operations that `jax.export` writes by others, because the text that it promises to keep readable has no such operation.
EXPORTED = [
    ("erf_inv", lax.erf_inv, 1, WIDE),
]


def functions(prefix, f, arguments, exported):
    """The functions of a lowered program, its entry called `prefix` and the others after it."""
    if exported:
        text = jax.export.export(jax.jit(f))(*arguments).mlir_module()
        text = re.sub(r"^#loc.*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r" loc\((?:#\w+|unknown|\"[^\"]*\")\)", "", text)
    else:
        text = jax.jit(f).lower(*arguments).as_text()
    text = re.sub(r"@main\b", "@" + prefix, text)
    text = re.sub(r"@(?!%s\b)(\w+)" % prefix, r"@%s.\1" % prefix, text)
    text = text.replace(" {jax.result_info = \"result\"}", "")
    text = re.sub(r" \{jax\.result_info = \"result\[\d+\]\"\}", "", text)
    lines = text.rstrip().split("\n")
    assert lines[0].startswith("module") and lines[-1] == "}", text
    return [line[2:] for line in lines[1:-1]]


for name, f, count, types, exported in [(*f, False) for f in FUNCTIONS] + [(*f, True) for f in EXPORTED]:
    out = [f"// {name}, as JAX {jax.__version__} lowers it and its derivative; written by generate.py.", ""]
    for kind in types:
        x = [np.ones(61, TYPES[kind])] * count
        rule = lambda *args: jax.jvp(f, args[:count], args[count:])
        shapes = []
        # Constants of other types are computed with in binary64 where JAX has it.
        for x64 in [True] if kind == "f64" else [False, True]:
            jax.config.update("jax_enable_x64", x64)
            shape = functions("T", lambda *args: f(*args), x, exported)
            if shape not in shapes:
                shapes.append(shape)
                prefix = f"{kind}_x64" if len(shapes) > 1 else kind
                out += functions(prefix, lambda *args: f(*args), x, exported)
                out += functions(prefix + "_rule", rule, x + x, exported)
    with open(name + ".mlir", "w") as file:
        file.write("\n".join(out) + "\n")
