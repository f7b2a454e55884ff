"""Writes linalg.txt: values and gradients of jax.numpy.linalg and jax.scipy.linalg, made with JAX 0.10.2 on CPU.

A line is `name | inputs | results | gradients of the loss`; the loss is the sum of the results weighted by cosines (imaginary
parts by sines) of the position, and `-` stands where JAX has no gradient."""
import jax, jax.numpy as jnp, jax.scipy.linalg as sl, numpy as np
import jax.lax.linalg as ll

jax.config.update("jax_enable_x64", True)
L = jnp.linalg
lines = []
NAMES = {"float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128", "int32": "i32", "int64": "i32"}

def text(x):
    x = np.asarray(x)
    flat = x.ravel()
    if np.iscomplexobj(x):
        flat = np.stack([flat.real, flat.imag], -1).ravel()
    shape = ",".join(map(str, x.shape))
    return f"{NAMES[str(x.dtype)]}[{shape}]=" + ",".join(repr(float(v)) for v in flat)

def loss(outs):
    total = 0.0
    for k, o in enumerate(outs):
        o = jnp.asarray(o)
        if not jnp.issubdtype(o.dtype, jnp.inexact):
            continue
        i = jnp.arange(o.size).reshape(o.shape) + 1.0 + k
        total += jnp.sum(o.real * jnp.cos(i).astype(o.real.dtype))
        if jnp.iscomplexobj(o):
            total += jnp.sum(o.imag * jnp.sin(i).astype(o.real.dtype))
    return total

def case(name, f, *inputs, grad=True):
    inputs = [jnp.asarray(x) for x in inputs]
    wrap = lambda *xs: (lambda y: list(y) if isinstance(y, (tuple, list)) else [y])(f(*xs))
    outs = wrap(*inputs)
    grads = jax.grad(lambda *xs: loss(wrap(*xs)), tuple(range(len(inputs))))(*inputs) if grad else None
    join = lambda ts: " ".join(map(text, ts)) if ts else "-"
    lines.append(f"{name} | {join(inputs)} | {join(outs)} | {join(grads)}")

rng = np.random.default_rng(7)
def r(*shape, dtype=np.float64):
    x = rng.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        x = x + 1j * rng.standard_normal(shape)
    return np.round(x, 3).astype(dtype)
def spd(*shape, dtype=np.float64):
    x = r(*shape, dtype=dtype)
    return (x @ np.swapaxes(x.conj(), -1, -2) + 2 * np.eye(shape[-1])).astype(dtype)

C = np.complex128
for a in (spd(3, 3), spd(2, 3, 3), spd(3, 3, dtype=C), spd(3, 3, dtype=np.float32)):
    case("cholesky", L.cholesky, a)
# SciPy's factor reads one triangle; JAX differentiates it as a function of the whole, so no gradients.
for a in (spd(3, 3), spd(3, 3, dtype=C)):
    case("cho_factor lower", lambda a: sl.cho_factor(a, lower=True)[0], a, grad=False)
    case("cho_factor upper", lambda a: sl.cho_factor(a)[0], a, grad=False)
tri = np.tril(r(3, 3)) + 2 * np.eye(3)
case("cho_solve lower", lambda c, b: sl.cho_solve((c, True), b), tri, r(3, 2))
case("cho_solve upper", lambda c, b: sl.cho_solve((c, False), b), np.triu(r(3, 3, dtype=C)) + 2 * np.eye(3), r(3, dtype=C))
case("solve", L.solve, r(3, 3), r(3))
case("solve", L.solve, r(3, 3), r(3, 2))
case("solve", L.solve, r(2, 3, 3), r(3))
case("solve", L.solve, r(3, 3), r(2, 3, 2))
case("solve", L.solve, r(2, 1, 3, 3), r(2, 3, 1))
case("solve", L.solve, r(3, 3, dtype=C), r(3, 2, dtype=C))
case("solve", L.solve, r(3, 3, dtype=np.float32), r(3, 2, dtype=np.float32))
for trans in "NTC":
    for lower in (True, False):
        for unit in (True, False):
            t = (np.tril if lower else np.triu)(r(3, 3, dtype=C)) + 2 * np.eye(3)
            f = lambda a, b: sl.solve_triangular(a, b, trans=trans, lower=lower, unit_diagonal=unit)
            case(f"solve_triangular {trans} {int(lower)} {int(unit)}", f, t, r(3, 2, dtype=C))
case("solve_triangular N 1 0", lambda a, b: sl.solve_triangular(a, b, lower=True), tri, r(3))
for a in (r(3, 3), r(4, 2), r(2, 4), r(3, 3, dtype=C)):
    case("lu", sl.lu, a)
    case("lu_factor", sl.lu_factor, a)
for trans in (0, 1, 2):
    case(f"lu_solve {trans}", lambda a, b: sl.lu_solve(sl.lu_factor(a), b, trans=trans), r(4, 4, dtype=C), r(4, 2, dtype=C))
for a in (r(3, 3), r(2, 3, 3), r(3, 3, dtype=C), r(1, 1)):
    case("inv", L.inv, a)
for a in (r(1, 1), r(2, 2), r(3, 3), r(4, 4), r(5, 5), r(2, 4, 4), r(4, 4, dtype=C), r(4, 4, dtype=np.float32)):
    case("det", L.det, a)
    case("slogdet", L.slogdet, a)
low = r(4, 3)
case("det", L.det, np.concatenate([low, low.sum(1, keepdims=True)], 1))
for a in (r(3, 3), r(4, 2), r(2, 4), r(2, 3, 2), r(3, 2, dtype=C), r(2, 3, dtype=C), r(3, 2, dtype=np.float32)):
    case("qr reduced", lambda a: tuple(L.qr(a)), a)
case("qr reduced", lambda a: tuple(L.qr(a)), np.array([[2.0, 1.0], [0.0, 3.0]]))
case("qr complete", lambda a: tuple(L.qr(a, "complete")), r(4, 2), grad=False)
case("qr complete", lambda a: tuple(L.qr(a, "complete")), r(2, 3), grad=False)
for a in (r(3, 3), r(2, 3, 3), r(3, 3, dtype=np.float32)):
    case("eigh", lambda a: tuple(L.eigh(a)), a)
    case("eigvalsh", L.eigvalsh, a)
case("eigvalsh", L.eigvalsh, r(3, 3, dtype=C))
case("eigvals powers", lambda a: (jnp.sum(L.eigvals(a) ** 3).real, jnp.sum(jnp.abs(L.eigvals(a)))), r(3, 3))
case("eigvals powers", lambda a: (jnp.sum(L.eigvals(a) ** 3).real, jnp.sum(jnp.abs(L.eigvals(a)))), r(3, 3, dtype=C))
for a in (r(3, 3), r(4, 2), r(2, 3), r(2, 3, 2), r(3, 2, dtype=np.float32)):
    case("svd reduced", lambda a: tuple(L.svd(a, full_matrices=False)), a)
    case("svdvals", L.svdvals, a)
case("svdvals", L.svdvals, r(3, 2, dtype=C))
x = r(3, 4)
z = r(2, 3, dtype=C)
for p in ("inf", "-inf", "0", "1", "2", "3", "-1"):
    case(f"norm {p} 1", lambda a: L.norm(a, float(p), axis=1), x)
    case(f"norm {p} 0", lambda a: L.norm(a, float(p), axis=0), z)
for p in ("inf", "-inf", "1", "-1", "2", "-2", "nuc", "fro"):
    order = p if p in ("nuc", "fro") else float(p)
    case(f"norm {p} 0,1", lambda a: L.norm(a, order, axis=(0, 1)), x)
    case(f"norm {p} 2,0", lambda a: L.norm(a, order, axis=(2, 0)), r(2, 3, 2))
case("norm fro all", L.norm, r(2, 2, 2))
for p in ("1", "2", "-2", "inf", "fro"):
    case(f"cond {p}", lambda a: L.cond(a, p if p == "fro" else float(p)), r(3, 3))
case("cond 2", L.cond, r(2, 4, 3))
for a in (r(3, 3), r(4, 2), np.outer(r(3), r(4)), np.zeros((2, 2)), r(2, 3, 4)):
    case("matrix_rank", L.matrix_rank, a, grad=False)
for n in (-2, 0, 1, 2, 3, 6):
    case(f"matrix_power {n}", lambda a: L.matrix_power(a, n), r(3, 3))
for a in (r(3, 3), r(4, 2), r(2, 4), r(2, 3, 2), np.outer(r(3), r(4)), np.eye(3), r(3, 2, dtype=C)):
    case("pinv", L.pinv, a)
for s in (0.005, 0.1, 0.5, 1.0, 3.0, 30.0):
    case("expm", sl.expm, s * r(3, 3))
    case("expm", sl.expm, (s * r(3, 3)).astype(np.float32), grad=s < 10)
case("expm", sl.expm, r(2, 3, 3))
case("expm", sl.expm, r(3, 3, dtype=C))
case("expm", sl.expm, np.zeros((2, 2)))
case("lstsq", lambda a, b: L.lstsq(a, b), r(4, 2), r(4))
case("lstsq", lambda a, b: L.lstsq(a, b), r(4, 2), r(4, 3))
case("lstsq", lambda a, b: L.lstsq(a, b), r(2, 4), r(2))
case("multi_dot", lambda *xs: L.multi_dot(xs), r(2, 5), r(5, 3), r(3, 4), r(4, 2))
case("multi_dot", lambda *xs: L.multi_dot(xs), r(5), r(5, 3), r(3))
case("tensorinv", L.tensorinv, r(2, 3, 3, 2))
case("tensorsolve", L.tensorsolve, r(2, 3, 6), r(2, 3))
case("tridiagonal_solve", ll.tridiagonal_solve, r(4), r(4) + 4, r(4), r(4, 2))
case("tridiagonal_solve", ll.tridiagonal_solve, r(2, 4), r(2, 4) + 4, r(2, 4), r(2, 4, 1))
case("block_diag", lambda *xs: sl.block_diag(*xs), r(2, 3), r(2), r(1, 1))
case("toeplitz", sl.toeplitz, r(3), r(4))
case("toeplitz", sl.toeplitz, r(3, dtype=C))
case("polar", lambda a: sl.polar(a, method="svd"), r(3, 3))
case("polar", lambda a: sl.polar(a, method="svd"), r(4, 2))
case("vdot", jnp.vdot, r(3, dtype=C), r(3, dtype=C))
case("vecdot", lambda a, b: L.vecdot(a, b), r(2, 3, dtype=C), r(3, dtype=C))
case("trace", L.trace, r(2, 3, 3))
open("linalg.txt", "w").write("\n".join(lines) + "\n")
