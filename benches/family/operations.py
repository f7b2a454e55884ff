"""Single operations, with us and with JAX, one after the other: ``python benches/family/operations.py [names]``.

Each is a call of jax.numpy, jax.lax, jax.scipy or jax.random as users write it, of a size that takes JAX 20 to 500 microseconds,
on one thread. The least of many times counts. Ratios are JAX's time by ours: below 1 we are slower. Values must be JAX's. These
are for finding what nobody has looked at: programs hide a slow operation among others.
"""

import argparse
import math
import os
import pathlib
import re
import subprocess
import tempfile
import time

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.scipy import linalg as jl  # noqa: E402
from jax.scipy import special as js  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RANDOM = np.random.default_rng(0)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def uniform(*shape):
    return RANDOM.uniform(0.1, 1, shape).astype(np.float32)


def ints(below, *shape):
    return RANDOM.integers(0, below, shape).astype(np.int32)


def bools(*shape):
    return RANDOM.random(shape) < 0.3


MATRIX, VECTOR = normal(300, 400), normal(100003)
COMPLEX = (MATRIX + 1j * normal(300, 400)).astype(np.complex64)
KEY = np.array([1, 2], np.uint32)
# Signs of vectors are free.
UNSIGNED = {"svd", "eigh"}

# By name: a function, and what it is called with.
OPERATIONS = {
    # Movement of elements.
    "flip0": (lambda x: jnp.flip(x, 0), MATRIX),
    "flip1": (lambda x: jnp.flip(x, 1), MATRIX),
    "roll1": (lambda x: jnp.roll(x, 5, 1), MATRIX),
    "roll0": (lambda x: jnp.roll(x, 5, 0), MATRIX),
    "tile": (lambda x: jnp.tile(x, (3, 2)), normal(100, 133)),
    "repeat0": (lambda x: jnp.repeat(x, 3, 0), normal(100, 133)),
    "repeat1": (lambda x: jnp.repeat(x, 3, 1), normal(100, 133)),
    "cat0": (lambda x, y: jnp.concatenate([x, y], 0), normal(150, 333), normal(150, 333)),
    "cat1": (lambda x, y: jnp.concatenate([x, y], 1), normal(300, 150), normal(300, 150)),
    "stacklast": (lambda x, y, z: jnp.stack([x, y, z], -1), normal(30000), normal(30000), normal(30000)),
    "slice2": (lambda x: x[:,::2], MATRIX),
    "slicerow2": (lambda x: x[::2], MATRIX),
    "inner": (lambda x: x[1:-1, 1:-1], MATRIX),
    "padc": (lambda x: jnp.pad(x, 2), MATRIX),
    "padr": (lambda x: jnp.pad(x, 3, mode="reflect"), MATRIX),
    "pade": (lambda x: jnp.pad(x, 3, mode="edge"), MATRIX),
    "t021": (lambda x: jnp.transpose(x, (0, 2, 1)), normal(12, 64, 77)),
    "t210": (lambda x: jnp.transpose(x, (2, 1, 0)), normal(12, 64, 77)),
    "t102": (lambda x: jnp.transpose(x, (1, 0, 2)), normal(12, 64, 77)),
    "nhwc": (lambda x: jnp.transpose(x, (0, 3, 1, 2)), normal(4, 32, 32, 24)),
    "nchw": (lambda x: jnp.transpose(x, (0, 2, 3, 1)), normal(4, 24, 32, 32)),
    "t_i8": (lambda x: x.T.copy(), ints(100, 300, 400).astype(np.int8)),
    "t_bool": (lambda x: x.T.copy(), bools(300, 400)),
    "rot90": (lambda x: jnp.rot90(x), MATRIX),
    "triu": (lambda x: jnp.triu(x), normal(300, 300)),
    "diag": (lambda x: jnp.diag(x), normal(300)),
    "diagonal": (lambda x: jnp.diagonal(x), normal(600, 600)),
    "trace": (lambda x: jnp.trace(x), normal(600, 600)),
    "meshgrid": (lambda x, y: jnp.meshgrid(x, y), normal(300), normal(400)),
    # Reductions and scans.
    "sum0": (lambda x: x.sum(0), MATRIX),
    "sum1": (lambda x: x.sum(1), MATRIX),
    "summid": (lambda x: x.sum(1), normal(40, 60, 50)),
    "max1": (lambda x: x.max(1), MATRIX),
    "max0": (lambda x: x.max(0), MATRIX),
    "argmax1": (lambda x: x.argmax(1), MATRIX),
    "argmax0": (lambda x: x.argmax(0), MATRIX),
    "argmax": (lambda x: x.argmax(), VECTOR),
    "var1": (lambda x: x.var(1), MATRIX),
    "std0": (lambda x: x.std(0), MATRIX),
    "prod": (lambda x: jnp.prod(x, 1), MATRIX),
    "any": (lambda x: jnp.any(x>4, 1), MATRIX),
    "count": (lambda x: jnp.count_nonzero(x>0), MATRIX),
    "norm": (lambda x: jnp.linalg.norm(x, axis=1), MATRIX),
    "lse": (lambda x: jax.nn.logsumexp(x, 1), MATRIX),
    "lse0": (lambda x: jax.nn.logsumexp(x, 0), MATRIX),
    "softmax": (lambda x: jax.nn.softmax(x, -1), MATRIX),
    "softmax0": (lambda x: jax.nn.softmax(x, 0), MATRIX),
    "logsoftmax10": (lambda x: jax.nn.log_softmax(x, -1), normal(6000, 10)),
    "median": (lambda x: jnp.median(x, 1), normal(100, 101)),
    "percentile": (lambda x: jnp.percentile(x, 30, axis=0), normal(101, 100)),
    "cumsum1": (lambda x: jnp.cumsum(x, 1), MATRIX),
    "cumsum0": (lambda x: jnp.cumsum(x, 0), MATRIX),
    "cumsumV": (lambda x: jnp.cumsum(x), VECTOR),
    "cumprod": (lambda x: jnp.cumprod(x, 1), MATRIX),
    "cummax": (lambda x: lax.cummax(x, 1), MATRIX),
    "nanmean": (lambda x: jnp.nanmean(x, 0), MATRIX),
    "layernorm": (lambda x: (x-x.mean(-1, keepdims=True))/jnp.sqrt(x.var(-1, keepdims=True)+1e-5), MATRIX),
    "onehot": (lambda x: jax.nn.one_hot(x, 50), ints(50, 2000)),
    "ptp": (lambda x: jnp.ptp(x, 0), MATRIX),
    "diff": (lambda x: jnp.diff(x, axis=1), MATRIX),
    "gradient": (lambda x: jnp.gradient(x, axis=0), MATRIX),
    "trapz": (lambda x: jnp.trapezoid(x, axis=1), MATRIX),
    # Places that are computed.
    "takerow": (lambda x, i: x[i], normal(500, 64), ints(500, 2000)),
    "takecol": (lambda x, i: x[:, i], MATRIX, ints(400, 300)),
    "tal": (lambda x, i: jnp.take_along_axis(x, i, 1), MATRIX, ints(400, 300, 50)),
    "tal0": (lambda x, i: jnp.take_along_axis(x, i, 0), MATRIX, ints(300, 50, 400)),
    "take1": (lambda x, i: x[i], normal(1000), ints(1000, 100000)),
    "where": (lambda x, y: jnp.where(x>0, x, y), MATRIX, normal(300, 400)),
    "atadd": (lambda x, i, y: x.at[i].add(y), normal(500, 64), ints(500, 2000), normal(2000, 64)),
    "atadd1": (lambda x, i, y: x.at[i].add(y), normal(1000), ints(1000, 50000), normal(50000)),
    "atset": (lambda x, i, y: x.at[i].set(y), normal(500, 64), ints(500, 200), normal(200, 64)),
    "atmax": (lambda x, i, y: x.at[i].max(y), normal(1000), ints(1000, 50000), normal(50000)),
    "atcol": (lambda x, i, y: x.at[:, i].set(y), MATRIX, ints(400, 50), normal(300, 50)),
    "segsum": (lambda x, i: jax.ops.segment_sum(x, i, 500), normal(5000, 16), ints(500, 5000)),
    "bincount": (lambda i: jnp.bincount(i, length=256), ints(256, 100000)),
    "histogram": (lambda x: jnp.histogram(x, 50)[0], normal(20000)),
    "searchsorted": (lambda x, v: jnp.searchsorted(x, v), np.sort(normal(1000)), normal(10000)),
    "interp": (lambda x, xp, fp: jnp.interp(x, xp, fp), normal(10000), np.sort(normal(200)), normal(200)),
    "lut": (lambda t, i: t[i], ints(255, 256).astype(np.uint8), ints(256, 100000).astype(np.uint8)),
    "nonzero": (lambda x: jnp.nonzero(x, size=5000)[0], bools(20000)),
    "unique": (lambda x: jnp.unique(x, size=100), ints(80, 5000)),
    "dynslice": (lambda x, i: lax.dynamic_slice(x, (i, i), (200, 200)), MATRIX, np.int32(17)),
    "boolidx": (lambda m, i: m[i], bools(1000), ints(1000, 100000)),
    # Sorting.
    "sort1": (lambda x: jnp.sort(x, 1), MATRIX),
    "sort0": (lambda x: jnp.sort(x, 0), MATRIX),
    "sortV": (lambda x: jnp.sort(x), normal(20000)),
    "argsort": (lambda x: jnp.argsort(x), normal(20000)),
    "argsort1": (lambda x: jnp.argsort(x, 1), normal(200, 100)),
    "sorti": (lambda x: jnp.sort(x), ints(1000000, 20000)),
    "topk": (lambda x: lax.top_k(x, 10), normal(50, 1000)),
    "lexsort": (lambda a, c: jnp.lexsort((a, c)), normal(5000), ints(50, 5000)),
    # Contractions.
    "mm": (lambda x, y: x@y, normal(200, 200), normal(200, 200)),
    "mv": (lambda x, y: x@y, normal(400, 500), normal(500)),
    "vm": (lambda x, y: x@y, normal(400), normal(400, 500)),
    "outer": (lambda x, y: jnp.outer(x, y), normal(300), normal(400)),
    "bmm": (lambda x, y: x@y, normal(64, 20, 30), normal(64, 30, 20)),
    "attn": (lambda q, k: jnp.einsum("bthd,bshd->bhts", q, k), normal(2, 50, 4, 16), normal(2, 50, 4, 16)),
    "bilinear": (lambda x, w, y: jnp.einsum("bi,ij,bj->b", x, w, y), normal(200, 50), normal(50, 60), normal(200, 60)),
    "tmm": (lambda x, y: x.T@y, normal(300, 100), normal(300, 80)),
    "thin": (lambda x, y: x@y, normal(5000, 3), normal(3, 40)),
    "tall": (lambda x, y: x.T@y, normal(5000, 8), normal(5000, 8)),
    "kron": (lambda x, y: jnp.kron(x, y), normal(20, 15), normal(18, 22)),
    "cov": (lambda x: jnp.cov(x), normal(30, 1000)),
    "corr": (lambda x: jnp.corrcoef(x.T), normal(1000, 30)),
    "pdist": (lambda x, y: ((x[:, None]-y[None])**2).sum(-1), normal(200, 3), normal(300, 3)),
    "mmi8": (lambda x, y: lax.dot(x, y, preferred_element_type=jnp.int32), ints(100, 150, 150).astype(np.int8), ints(100, 150, 150).astype(np.int8)),
    "mmi32": (lambda x, y: x@y, ints(100, 120, 120), ints(100, 120, 120)),
    "tensordot": (lambda x, y: jnp.tensordot(x, y, ((1, 2), (0, 1))), normal(30, 20, 25), normal(20, 25, 40)),
    # Windows.
    "conv1d": (lambda x, w: lax.conv_general_dilated(x, w, (1, ), "SAME", dimension_numbers=("NWC", "WIO", "NWC")), normal(4, 500, 16), normal(5, 16, 16)),
    "conv2d": (lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), normal(2, 32, 32, 8), normal(3, 3, 8, 16)),
    "convs2": (lambda x, w: lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), normal(2, 32, 32, 16), normal(3, 3, 16, 32)),
    "convnchw": (lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME"), normal(2, 8, 32, 32), normal(16, 8, 3, 3)),
    "depthw": (lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=32), normal(2, 28, 28, 32), normal(3, 3, 1, 32)),
    "convT": (lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), normal(2, 16, 16, 16), normal(3, 3, 16, 16)),
    "maxpool": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), normal(4, 32, 32, 24)),
    "maxpool3": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 1, 1, 1), "SAME"), normal(4, 32, 32, 24)),
    "avgpool": (lambda x: lax.reduce_window(x, 0., lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), normal(4, 32, 32, 24)),
    "convolve": (lambda x, k: jnp.convolve(x, k), normal(20000), normal(31)),
    # Linear algebra.
    "chol": (lambda x: jnp.linalg.cholesky(x@x.T+300*jnp.eye(100)), normal(100, 100)),
    "solve": (lambda x, y: jnp.linalg.solve(x+20*jnp.eye(100), y), normal(100, 100), normal(100)),
    "inv": (lambda x: jnp.linalg.inv(x+20*jnp.eye(60)), normal(60, 60)),
    "slogdet": (lambda x: jnp.linalg.slogdet(x)[1], normal(100, 100)),
    "qr": (lambda x: jnp.linalg.qr(x), normal(100, 40)),
    "svd": (lambda x: jnp.linalg.svd(x, full_matrices=False), normal(60, 40)),
    "eigh": (lambda x: jnp.linalg.eigh(x+x.T), normal(60, 60)),
    "lstsq": (lambda x, y: jnp.linalg.lstsq(x, y)[0], normal(100, 20), normal(100)),
    "expm": (lambda x: jl.expm(x*.1), normal(40, 40)),
    "bchol": (lambda x: jnp.linalg.cholesky(x@x.transpose(0, 2, 1)+30*jnp.eye(6)), normal(500, 6, 6)),
    "binv": (lambda x: jnp.linalg.inv(x+9*jnp.eye(4)), normal(1000, 4, 4)),
    "bdet": (lambda x: jnp.linalg.det(x), normal(2000, 3, 3)),
    "matpow": (lambda x: jnp.linalg.matrix_power(x*.1, 5), normal(100, 100)),
    "tris": (lambda x, y: jl.solve_triangular(jnp.tril(x)+20*jnp.eye(150), y, lower=True), normal(150, 150), normal(150, 20)),
    # Integers, bits and narrow types.
    "idiv": (lambda x, y: x//y, ints(1000, 100000), ints(50, 100000)+1),
    "imod": (lambda x, y: x%y, ints(1000, 100000), ints(50, 100000)+1),
    "ic": (lambda x: x//7, ints(100000, 100000)),
    "popcnt": (lambda x: lax.population_count(x), ints(2**30, 100000)),
    "clz": (lambda x: lax.clz(x), ints(2**30, 100000)),
    "u8tof": (lambda x: x.astype(jnp.float32)/255, ints(255, 300, 400).astype(np.uint8)),
    "ftou8": (lambda x: (x*255).astype(jnp.uint8), uniform(300, 400)),
    "f16mul": (lambda x, y: x*y, MATRIX.astype(np.float16), MATRIX.astype(np.float16)),
    "packbits": (lambda x: jnp.packbits(x), bools(80000)),
    "unpackbits": (lambda x: jnp.unpackbits(x), ints(255, 10000).astype(np.uint8)),
    "gcd": (lambda x, y: jnp.gcd(x, y), ints(1000, 5000), ints(1000, 5000)),
    "fmod": (lambda x, y: jnp.fmod(x, y), MATRIX, uniform(300, 400)),
    "fremf": (lambda x, y: x%y, MATRIX, uniform(300, 400)),
    # Complex numbers and Fourier transforms.
    "cabs": (lambda x: jnp.abs(x), COMPLEX),
    "cmul": (lambda x, y: x*y, COMPLEX, COMPLEX),
    "cexp": (lambda x: jnp.exp(x), COMPLEX),
    "angle": (lambda x: jnp.angle(x), COMPLEX),
    "fft": (lambda x: jnp.fft.fft(x), normal(100, 512)),
    "rfft": (lambda x: jnp.fft.rfft(x), normal(100, 512)),
    "fft2": (lambda x: jnp.fft.fft2(x), normal(128, 128)),
    "ifft": (lambda x: jnp.fft.ifft(x), (normal(100, 512)+1j*normal(100, 512)).astype(np.complex64)),
    "fftshift": (lambda x: jnp.fft.fftshift(x), MATRIX),
    # Random numbers.
    "uniform": (lambda k: jax.random.uniform(k, (50000, )), KEY),
    "normal": (lambda k: jax.random.normal(k, (50000, )), KEY),
    "perm": (lambda k: jax.random.permutation(k, 5000), KEY),
    "cat": (lambda k, l: jax.random.categorical(k, l), KEY, normal(500, 50)),
    "randint": (lambda k: jax.random.randint(k, (50000, ), 0, 100), KEY),
    "gamma": (lambda k: jax.random.gamma(k, 2.0, (2000, )), KEY),
    "poisson": (lambda k: jax.random.poisson(k, 4.0, (2000, )), KEY),
}

ELEMENTWISE = {
    "exp": jnp.exp, "log": jnp.log, "sin": jnp.sin, "tan": jnp.tan, "tanh": jnp.tanh, "erf": js.erf, "sqrt": jnp.sqrt,
    "cbrt": jnp.cbrt, "sigmoid": jax.nn.sigmoid, "gelu": jax.nn.gelu, "silu": jax.nn.silu, "softplus": jax.nn.softplus,
    "lgamma": js.gammaln, "digamma": js.digamma, "floor": jnp.floor, "round": jnp.round, "log1p": jnp.log1p, "expm1": jnp.expm1,
    "sinc": jnp.sinc, "nan_to_num": jnp.nan_to_num, "arcsin": jnp.arcsin, "arctan": jnp.arctan, "sinh": jnp.sinh,
    "erfinv": js.erfinv, "i0": js.i0, "logit": js.logit, "rsqrt": lax.rsqrt, "sign": jnp.sign, "cube": lambda x: x**3,
    "power": lambda x: x**2.7,
}  # fmt: skip
OPERATIONS |= {name: (f, uniform(300, 400)) for name, f in ELEMENTWISE.items()}

# Of these, derivatives: a function of what they are called with and of a cotangent.
DIFFERENTIATED = [
    "max1", "cumsum1", "sort1", "softmax", "mm", "maxpool", "conv2d", "convs2", "depthw", "norm", "var1", "lse", "padc", "padr",
    "cat1", "chol", "solve", "layernorm", "roll1", "pdist", "avgpool", "takerow", "tal", "t021", "logsoftmax10", "gelu",
]  # fmt: skip


def derivative(name):
    f, *args = OPERATIONS[name]
    by = [k for k, x in enumerate(args) if x.dtype == np.float32]

    def backward(*all_args):
        def of(*active):
            given = dict(zip(by, active))
            return f(*[given.get(k, x) for k, x in enumerate(all_args[:-1])])

        return jax.vjp(of, *[all_args[k] for k in by])[1](all_args[-1])

    return backward, *args, normal(*jax.eval_shape(f, *args).shape)


OPERATIONS |= {f"{name}, derivative": derivative(name) for name in DIFFERENTIATED}


def saved(folder, k, array):
    path = folder / f"in{k}.npy"
    np.save(path, array)
    return str(path)


def compare(name, got, want):
    """What is wrong with our results, if anything is."""
    for k, (x, y) in enumerate(zip(got, want, strict=True)):
        if x.shape != y.shape:
            return f"result {k} is {x.shape}, not {y.shape}"
        if y.dtype.kind not in "fc":
            if not (x == y).all():
                return f"result {k}: {(x != y).sum()} elements differ"
            continue
        size = max(np.abs(y[np.isfinite(y)]).max(initial=0), 1e-6)
        same = (x == y) | np.isnan(x) & np.isnan(y)
        worst = np.where(same, 0, np.abs(x - y)).max(initial=0) / size
        if name not in UNSIGNED and not worst < 2e-4:
            return f"result {k} differs by {worst:.1e}"
    return None


def measure(name, wengert, folder):
    """Microseconds of a call, ours and JAX's."""
    f, *args = OPERATIONS[name]
    f = jax.jit(f, keep_unused=True)
    args = [jnp.asarray(x) for x in args]
    program = folder / "program.mlir"
    program.write_text(f.lower(*args).as_text())
    want = [np.asarray(x) for x in jax.tree.leaves(f(*args))]
    inputs = [saved(folder, k, np.asarray(x)) for k, x in enumerate(args)]
    best, start = math.inf, time.perf_counter()
    while time.perf_counter() - start < 0.15:
        before = time.perf_counter()
        jax.block_until_ready(f(*args))
        best = min(best, time.perf_counter() - before)
    env = dict(os.environ, WENGERT_THREADS="1")

    def run(*words):
        command = [wengert, words[0], str(program), *words[1:], "--inputs", *inputs]
        done = subprocess.run(command, capture_output=True, text=True, env=env)
        if done.returncode:
            raise RuntimeError(f"{name}: {done.stderr.strip()}")
        return done.stdout

    out = folder / "out"
    run("run", "--outputs", str(out))
    numbered = sorted(out.iterdir(), key=lambda p: int(re.sub(r"\D", "", p.stem) or 0))
    wrong = compare(name, [np.load(p) for p in numbered], want)
    for path in numbered:
        path.unlink()
    text = run("bench", "--no-eager", "--min", "--seconds", "0.2")
    time_text, unit = re.search(r"call, compiled\s+([\d.]+) (us|ms|s)", text).groups()
    return float(time_text) * {"us": 1, "ms": 1e3, "s": 1e6}[unit], best * 1e6, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="operations; all of them if none")
    parser.add_argument("--wengert", default=str(ROOT / "target" / "release" / "wengert"))
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in OPERATIONS]
    if unknown:
        parser.error(f"no operation is called {', '.join(unknown)}")
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rows, wrong = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or OPERATIONS:
            ours, jaxs, difference = measure(name, options.wengert, pathlib.Path(folder))
            rows.append((jaxs / ours, name, ours, jaxs))
            wrong += [f"{name}: {difference}"] if difference else []
    print("| operation | ours, us | JAX, us | ratio |\n|---|--:|--:|--:|")
    for ratio, name, ours, jaxs in sorted(rows):
        print(f"| {name} | {ours:.1f} | {jaxs:.1f} | {ratio:.2f} |")
    mean = math.exp(sum(math.log(r[0]) for r in rows) / len(rows))
    below = [sum(r[0] < bound for r in rows) for bound in (0.95, 0.7)]
    print(f"{len(rows)} operations: {mean:.2f}x JAX; below 0.95 {below[0]}, below 0.7 {below[1]}, least {min(rows)[0]:.2f}")
    print("\n".join(wrong) or "all values are JAX's")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
