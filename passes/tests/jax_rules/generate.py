"""Writes the cases in this folder: programs as JAX lowers them, and their derivatives as JAX computes them.

Run it with JAX installed, in this folder: python3 generate.py
The first lines of a file are the elements of the one argument, of the vector-Jacobian product with ones, and of the
Jacobian-vector product with ones.
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.export
import jax.numpy as jnp
import jax.scipy.special as sp
import numpy as np
from jax import lax, nn

jax.config.update("jax_enable_x64", True)
inf, nan = np.inf, np.nan
AT = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -3.0, 6.0, -6.0, 10.0, -10.0, 100.0, -100.0, 1e-10, inf, -inf, nan]
POSITIVE = [0.0, 1e-10, 0.25, 1.0, 2.0, 5.0, 10.0, 30.0]
FINITE = [x for x in AT if np.isfinite(x)]
UNIT = [0.0, 1e-10, 0.25, 0.5, 0.75, 1.0]

CASES = {
    # Kinks at 0 that are not the function's.
    "softplus": (nn.softplus, AT),
    "log_sigmoid": (nn.log_sigmoid, AT),
    "mish": (nn.mish, FINITE),
    "logaddexp_0": (lambda x: jnp.logaddexp(x, 0.0), AT),
    "0_logaddexp": (lambda x: jnp.logaddexp(0.0, x), AT),
    # Of two numbers of -inf ours is 1 for each, JAX's NaN.
    "logaddexp_xx": (lambda x: jnp.logaddexp(x, x), [x for x in AT if x != -inf]),
    "logaddexp_x-x": (lambda x: jnp.logaddexp(x, -x), AT),
    "logaddexp2_0": (lambda x: jnp.logaddexp2(x, 0.0), AT),
    "logaddexp2_xx": (lambda x: jnp.logaddexp2(x, x), [x for x in AT if x != -inf]),
    "logsumexp": (lambda x: sp.logsumexp(jnp.stack([x, x * 0, -x]), axis=0), FINITE),
    "log_softmax": (lambda x: nn.log_softmax(jnp.stack([x, x * 0, -x]), axis=0)[0], FINITE),
    "logistic_loss": (lambda x: -0.3 * nn.log_sigmoid(x) - 0.7 * nn.log_sigmoid(-x), FINITE),
    # Slopes at a kink that JAX chooses.
    "relu": (nn.relu, AT),
    "relu6": (nn.relu6, AT),
    "hard_sigmoid": (nn.hard_sigmoid, FINITE),
    "hard_silu": (nn.hard_silu, FINITE),
    "max_0": (lambda x: jnp.maximum(x, 0.0), AT),
    "min_max": (lambda x: jnp.minimum(jnp.maximum(x, 0.0), 6.0), FINITE),
    # Infinities that cancel.
    "sigmoid": (nn.sigmoid, AT),
    "silu": (nn.silu, FINITE),
    "logit": (sp.logit, UNIT + [inf]),
    "log1mexp": (nn.log1mexp, POSITIVE + [100.0]),
    "entr": (sp.entr, AT),
    "xlogy": (lambda x: sp.xlogy(x, x * 0 + 2.0), FINITE),
    "xlog1py": (lambda x: sp.xlog1py(x, x * 0 + 2.0), FINITE),
    "kl_div": (lambda x: sp.kl_div(x, 1.0), POSITIVE),
    # Branches that nobody takes.
    "i0_numpy": (jnp.i0, FINITE[:-5] + [1e-10]),
    "i0_scipy": (sp.i0, FINITE[:-5] + [1e-10]),
    "i0e": (sp.i0e, FINITE),
    "log_ndtr": (sp.log_ndtr, FINITE),
    "erfcx": (sp.erfcx, POSITIVE),
    "dawsn": (sp.dawsn, FINITE),
    "igamma": (lambda x: sp.gammainc(2.0, x), POSITIVE),
    "igammac": (lambda x: sp.gammaincc(2.0, x), POSITIVE),
    "igammac_of_a": (lambda x: sp.gammaincc(x + 0.5, 2.0), POSITIVE),
    "igammac_unselected": (lambda x: jnp.where(x > 0.5, sp.gammaincc(2.0, x), x), POSITIVE),
    "betainc": (lambda x: sp.betainc(2.0, 3.0, x), UNIT),
    "betainc_1": (lambda x: sp.betainc(1.0, 2.0, x), UNIT[1:-1]),
    "betainc_of_1": (lambda x: sp.betainc(5.0, 1.0, x), UNIT[1:-1]),
    "beta_cdf": (lambda x: jax.scipy.stats.beta.cdf(x, 1.0, 3.0), UNIT[1:-1]),
    # Operands of fewer dimensions.
    "xlogy_scalar": (lambda x: sp.xlogy(x, 0.5), FINITE),
    "xlogy_by_scalar": (lambda x: sp.xlogy(x[0] * 0, x * x + 1.0), FINITE),
    "xlogy_element": (lambda x: sp.xlogy(x, x[1] + 1), FINITE),
    "xlogy_sum": (lambda x: sp.xlogy(x * 0, x.sum() + 500.0) + x, FINITE),
    "xlog1py_scalar": (lambda x: sp.xlog1py(x, 0.5), FINITE),
    "xlogy_outer": (lambda x: sp.xlogy(x[:, None] * 0 + x[0], x * x + 2.0).sum(0), FINITE),
    "xlogy_vmapped": (lambda x: jax.vmap(sp.xlogy, (None, 0))(x, jnp.array([2.0, 3.0], x.dtype)).sum(0), FINITE),
    "logaddexp_outer": (lambda x: jnp.logaddexp(x[:, None], x[None, :] * 0 + x[0]).sum(1), FINITE),
    "igamma_scalar": (lambda x: jnp.where(x > 0.5, sp.gammainc(2.0, x * x + 1.0), x), POSITIVE),
    # Reducers.
    "cumlogsumexp": (lambda x: lax.cumlogsumexp(x), [1.0, 1.0, 1.0, 2.0]),
    "cumlogsumexp_of_0": (lambda x: lax.cumlogsumexp(x), [-inf, 1.0, 2.0]),
    "cumlogsumexp_to_0": (lambda x: lax.cumlogsumexp(x, reverse=True), [1.0, 2.0, -inf]),
    "reduced_logaddexp": (lambda x: x * 0 + lax.reduce(x, jnp.asarray(-jnp.inf, x.dtype), jnp.logaddexp, (0,)), [1.0, 1.0, 2.0, 1.0]),
    # What `jax.export` writes by other operations.
    "erf_inv_exported": (lax.erf_inv, [0.0, 0.1, 0.3, -0.5, 0.7, 0.01, -0.99, 0.9999]),
    "truncated_normal_exported": (
        lambda x: jnp.sqrt(2.0).astype(x.dtype) * lax.erf_inv(x * 0.8 + 0.1), [0.1, 0.3, -0.5, 0.7, 0.01]),
    # Bits.
    "frexp": (lambda x: jnp.frexp(x)[0], FINITE[2:]),
    "ldexp": (lambda x: jnp.ldexp(x, 3), FINITE[2:]),
    # Where they stand.
    "softplus_scanned": (lambda x: lax.scan(lambda c, _: (nn.softplus(c) - 0.5, None), x, None, length=3)[0], FINITE),
    "softplus_vmapped": (lambda x: jax.vmap(jax.vmap(nn.softplus))(x.reshape(1, -1)).reshape(-1), FINITE),
    "logaddexp_broadcast": (lambda x: jnp.logaddexp(x[:, None], jnp.zeros(2, x.dtype)).sum(1), FINITE),
    "softplus_branch": (lambda x: lax.cond(x[0] == 0, nn.softplus, jnp.sin, x), FINITE),
    "softplus_twice": (lambda x: jax.grad(lambda x: nn.softplus(x).sum())(x), FINITE),
}


def numbers(x):
    return " ".join(repr(float(v)) for v in np.asarray(x).ravel())


for name, (f, at) in CASES.items():
    for kind in (np.float32, np.float64):
        if kind == np.float64 and name not in ("erf_inv_exported", "softplus", "logaddexp2_0", "i0e", "log_ndtr", "sigmoid", "relu6"):
            continue
        g = lambda x: f(x).astype(kind)
        x = np.array(at, kind)
        one = np.ones_like(x)
        vjp, jvp = jax.jit(lambda x: (jax.vjp(g, x)[1](one)[0], jax.jvp(g, (x,), (one,))[1]))(x)
        head = f"// x: {numbers(x)}\n// vjp: {numbers(vjp)}\n// jvp: {numbers(jvp)}\n"
        with open(f"{name}_{np.dtype(kind).name}.mlir", "w") as file:
            lowered = jax.jit(g).lower(x).as_text()
            exported = jax.export.export(jax.jit(g))(x).mlir_module().replace(os.path.abspath(__file__), "generate.py")
            file.write(head + (exported if "exported" in name else lowered))
