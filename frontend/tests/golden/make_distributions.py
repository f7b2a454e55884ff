"""Writes distributions.txt: what jax.random draws, and derivatives of it. Made with JAX 0.10.2 on CPU; numbers of 32 bits without
64-bit types, as JAX draws them by default.

A line is `name | key | shape | type | parameters | numbers | derivatives of their sum by each parameter`."""
import jax, jax.numpy as jnp, numpy as np

R = jax.random
lines = []

def text(x):
    return ",".join(repr(float(v)) for v in np.asarray(x).ravel())

def case(name, f, seed, shape, dtype, *params, grad=False):
    wide = np.dtype(dtype).itemsize == 8
    jax.config.update("jax_enable_x64", wide)
    real = np.float64 if wide else np.float32
    params = [np.asarray(p, real) for p in params]
    draw = lambda *p: f(R.key(seed), *p, shape, dtype)
    out = draw(*params)
    slopes = "-"
    if grad:
        slopes = " ".join(text(g) for g in jax.grad(lambda *p: draw(*p).sum(), tuple(range(len(params))))(*params))
    shown = " ".join(f"[{','.join(map(str, p.shape))}]={text(p)}" for p in params) or "-"
    lines.append(f"{name} | {seed} | {','.join(map(str, shape))} | {np.dtype(dtype)} | {shown} | {text(out)} | {slopes}")

for dtype in (np.float32, np.float64):
    for seed in (0, 42):
        for a in (0.01, 0.4, 1.0, 3.5, 70.0):
            case("gamma", R.gamma, seed, (6,), dtype, a, grad=True)
            # JAX cuts numbers that are too small to write off before it differentiates.
            case("loggamma", R.loggamma, seed, (6,), dtype, a, grad=a > 0.01 or dtype == np.float64)
        case("gamma", R.gamma, seed, (2, 3), dtype, [0.5, 2.0, 1000.0], grad=True)
        case("beta", R.beta, seed, (5,), dtype, 0.5, 2.0, grad=True)
        case("dirichlet", R.dirichlet, seed, (2,), dtype, [0.5, 1.0, 4.0])
        case("chisquare", R.chisquare, seed, (5,), dtype, 3.0, grad=True)
        case("f", R.f, seed, (5,), dtype, 3.0, 7.0, grad=True)
        case("t", R.t, seed, (5,), dtype, 4.0, grad=True)
        case("generalized_normal", lambda k, s, d: R.generalized_normal(k, 1.5, s, d), seed, (6,), dtype)
        case("ball", lambda k, s, d: R.ball(k, 3, 2.0, s, d), seed, (2,), dtype)
        case("pareto", R.pareto, seed, (5,), dtype, 2.5, grad=True)
        case("rayleigh", R.rayleigh, seed, (5,), dtype, 2.5, grad=True)
        case("triangular", R.triangular, seed, (8,), dtype, -1.0, 0.5, 2.0, grad=True)
        case("wald", R.wald, seed, (8,), dtype, 1.5, grad=True)
        case("weibull_min", R.weibull_min, seed, (5,), dtype, 2.0, 1.5, grad=True)
        case("maxwell", R.maxwell, seed, (5,), dtype)
        case("double_sided_maxwell", R.double_sided_maxwell, seed, (6,), dtype, 0.5, 2.0)
        case("lognormal", R.lognormal, seed, (5,), dtype, 0.5, grad=True)
        case("multivariate_normal", R.multivariate_normal, seed, (3,), dtype, [1.0, -1.0], [[2.0, 1.0], [1.0, 3.0]], grad=True)
        case("orthogonal", lambda k, s, d: R.orthogonal(k, 3, s, d), seed, (2,), dtype)
        case("binomial", R.binomial, seed, (8,), dtype, 12.0, 0.3)
        case("binomial", R.binomial, seed, (2, 3), dtype, 200.0, [0.02, 0.45, 0.9])
        case("binomial", R.binomial, seed, (3,), dtype, [-1.0, 5.0, 5.0], [0.5, -0.5, 1.0])
        case("multinomial", lambda k, n, p, s, d: R.multinomial(k, n, p, shape=s, dtype=d), seed, (2, 3), dtype, [20.0, 100.0], [[0.2, 0.3, 0.5], [0.1, 0.9, 0.0]])
for dtype in (np.int32, np.int64):
    for seed in (0, 42):
        case("poisson", R.poisson, seed, (8,), dtype, 3.0)
        case("poisson", R.poisson, seed, (2, 4), dtype, [0.0, 9.0, 15.0, 1000.0])
        case("geometric", R.geometric, seed, (10,), dtype, 0.2)
        case("rademacher", R.rademacher, seed, (10,), dtype)
jax.config.update("jax_enable_x64", False)
logits = np.array([[0.0, 1.0, -1.0], [2.0, 0.0, 0.5]], np.float32)
for replace in (True, False):
    for axis in (0, 1):
        f = lambda k, l, s, d: R.categorical(k, l, axis, (2,) + (l.shape[1 - axis],), replace).astype(d)
        case(f"categorical {axis} {int(replace)}", f, 3, (2,), np.int32, logits)
open("distributions.txt", "w").write("\n".join(lines) + "\n")
