"""Writes the shapes and rules in this folder: what JAX lowers a function to, and what it lowers its derivative to (or `RULES`).

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
    ("betainc", lax.betainc, 3, WIDE),
    ("frexp", lambda x: jnp.frexp(x)[0], 1, ALL),
    ("erfcx", special.erfcx, 1, WIDE),
    ("dawsn", special.dawsn, 1, WIDE),
]
# Operations that `jax.export` writes by others, because the text that it promises to keep readable has no such operation.
EXPORTED = [
    ("erf_inv", lax.erf_inv, 1, WIDE),
]


def logaddexp_rule(f, exp):
    """JAX's rule, but for two numbers of -inf: both weights are 1, as of two of inf. What is combined first in a window or a
    running reduction is the initial value, -inf, and has no tangent."""

    def rule(x, y, dx, dy):
        out = f(x, y)
        finite = lambda v: jnp.where(v == np.inf, 0, v)
        weight = lambda v: jnp.where(out == -np.inf, 1, exp(finite(v) - finite(out)))
        return out, dx * weight(x) + dy * weight(y)

    return rule


def beta_below(a, b, x):
    """The regularized incomplete beta function of ordinary arguments, as `frontend/src/ops/incomplete.rs` computes it: the two
    terms of a step of the continued fraction (DLMF 8.17.22, after Lentz) have denominators that are never 0, whereas JAX
    divides a term that it does not take by a - 1."""
    epsilon = np.finfo(x.dtype).eps
    turned = x > (a + 1) / (a + b + 2)
    factor = jnp.exp(a * jnp.log(x) + b * jnp.log1p(-x) - (lax.lgamma(a) + lax.lgamma(b) - lax.lgamma(a + b)))
    p, q, x = jnp.where(turned, b, a), jnp.where(turned, a, b), jnp.where(turned, 1 - x, x)
    apart = lambda v: jnp.where(v == 0, 1e-30, v)
    changes = lambda by: jnp.abs(by - 1) > 4 * epsilon

    def turn(numerator, c, d):
        return apart(1 + numerator / c), 1 / apart(1 + numerator * d)

    def step(state):
        n, c, d, h, _ = state
        n = n + 1
        twice = p + 2 * n
        c, d = turn(n * (q - n) * x / ((twice - 1) * twice), c, d)
        h = h * (c * d)
        c, d = turn(-(p + n) * (p + q + n) * x / (twice * (twice + 1)), c, d)
        by = c * d
        return n, c, d, h * by, by

    first = 1 / apart(1 - (p + q) * x / (p + 1))
    start = (jnp.zeros((), x.dtype), jnp.ones_like(x), first, first, jnp.full_like(x, 2))
    h = lax.while_loop(lambda s: jnp.any(changes(s[4])) & (s[0] < 30000), step, start)[3]
    below = factor / p * h
    return jnp.where(turned, 1 - below, below)


def betainc_rule(a, b, x, da, db, dx):
    """By x JAX's rule, at 0 and 1 too; by a and b, for which JAX has none, that of `beta_below`, and 0 at the ends of x."""
    plain = (a > 0) & (b > 0) & (a < np.inf) & (b < np.inf) & (x > 0) & (x < 1)
    end = (a > 0) & (b > 0) & ((x == 0) | (x == 1))
    inner = [jnp.where(plain, v, w) for v, w in [(a, 1), (b, 1), (x, 0.5)]]

    def by(k):
        _, slope = jax.jvp(beta_below, inner, [jnp.full_like(v, float(k == j)) for j, v in enumerate(inner)])
        return jnp.where(plain, slope, jnp.where(end, 0, np.nan))

    density = jnp.exp(
        special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - (lax.lgamma(a) + lax.lgamma(b) - lax.lgamma(a + b)))
    return lax.betainc(a, b, x), da * by(0) + db * by(1) + dx * density


# Rules that are not what JAX makes of the function.
RULES = {
    "logaddexp": logaddexp_rule(jnp.logaddexp, jnp.exp),
    "logaddexp2": logaddexp_rule(jnp.logaddexp2, jnp.exp2),
    "betainc": betainc_rule,
}


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
        rule = RULES.get(name, lambda *args: jax.jvp(f, args[:count], args[count:]))
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
