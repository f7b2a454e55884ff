"""Writes expect.txt: what jax.numpy gives for every method of Tensor and every element type.

    cd frontend/tests/jnp; python3 expect.py off > a; python3 expect.py on > b; cat a b > expect.txt; rm a b

The rule (frontend/src/ops/promote.rs): what has 64 bits, or promotes to them, is computed with JAX's 64-bit types enabled
(`on`), the rest with them disabled (`off`). A row is `kind method types -> type shape : elements`, or `.. -> refused`. Names
after the mode choose methods. Where JAX's own answer is not taken, a comment says why. Written with JAX 0.10.2.
"""

import sys
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import digamma, erf, erfc, erfinv, gammaln, i1e, logsumexp

WIDE = sys.argv[1] == "on"
jax.config.update("jax_enable_x64", WIDE)
warnings.simplefilter("ignore")

NAMES = {
    "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "ui8": "uint8", "ui16": "uint16",
    "ui32": "uint32", "ui64": "uint64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
    "complex<f32>": "complex64", "complex<f64>": "complex128",
}
SHORT = {v: k for k, v in NAMES.items()}
WIDE_TYPES = ["i64", "ui64", "f64", "complex<f64>"]
TYPES = [t for t in NAMES if (t in WIDE_TYPES) == WIDE]
INTEGERS = [t for t in TYPES if t.startswith(("i", "ui"))]
REALS = [t for t in TYPES if not t.startswith("complex")]
FLOATS = [t for t in REALS if t not in INTEGERS]


# jnp.fmod of booleans by false is the dividend, of integers by zero 0. Here booleans count as integers first.
def counted(x):
    return x.astype("int32") if x.dtype == bool else x


# What XLA offers as it stands takes no integers, and softmax subtracts unsigned ones; here they become floats.
def inexact(x):
    return x if jnp.issubdtype(x.dtype, jnp.inexact) else x * 1.0


# jnp.cumsum adds narrow floats in their own type, in an order of its own: 7972 for 7995. Here it is one sum, rounded once.
def computed(x):
    return x.astype("float32") if str(x.dtype) in ("float16", "bfloat16") else x


# Positions and counts are i32 whatever the elements are.
def positions(x):
    return x.astype("int32")


def of(t, signed, unsigned, real, cplx):
    kind = "b" if t == "i1" else "u" if t.startswith("ui") else "i" if t.startswith("i") else "c" if "complex" in t else "f"
    v = {"b": [x != 0 for x in unsigned], "u": unsigned, "i": signed, "f": real, "c": cplx}[kind]
    return jnp.asarray(np.array(v).astype(jnp.dtype(NAMES[t])))


def a(t):
    return of(t, [100, 27, -3, 120, 5, -7], [200, 55, 3, 255, 0, 7], [0.5, -1.25, 3.0, 2.0, -0.75, 1.5],
              [0.5 + 1j, -1.25, 3.0 - 2j, 2.0 + 0.5j, -0.75j, 1.5 - 1j]).reshape(2, 3)


def b(t):
    return of(t, [7, 0, 2, -3, -7, 3], [7, 0, 2, 255, 3, 3], [0.75, 0.0, -2.0, 0.5, 1.25, 4.0],
              [1j, 2.0, -1.0 + 1j, 0.5, 1.25 - 3j, 4.0]).reshape(2, 3)


def long(t):
    k = np.arange(5000)
    return of(t, k % 11 - 3, k % 11, k % 13 * 0.25 + 0.1, k % 13 * 0.25 + 1j * (k % 7))


def special(t):
    inf, nan = np.inf, np.nan
    return of(t, [0] * 6, [0] * 6, [nan, inf, -inf, 0.0, -0.0, 1.0], [nan, inf, -inf, 0.0, -0.0, 1.0])


def reversed_special(t):
    return jnp.concatenate([special(t)[1:], special(t)[:1]])


unary = {
    "exp": jnp.exp, "expm1": jnp.expm1, "log": jnp.log, "log1p": jnp.log1p, "sqrt": jnp.sqrt, "rsqrt": lambda x: jax.lax.rsqrt(inexact(x)),
    "cbrt": jnp.cbrt, "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan, "asin": jnp.arcsin, "acos": jnp.arccos,
    "atan": jnp.arctan, "sinh": jnp.sinh, "cosh": jnp.cosh, "tanh": jnp.tanh, "asinh": jnp.arcsinh,
    "acosh": jnp.arccosh, "atanh": jnp.arctanh, "sigmoid": lambda x: jax.nn.sigmoid(inexact(x)), "erf": erf, "erfc": erfc, "erf_inv": erfinv,
    "lgamma": gammaln, "digamma": digamma, "bessel_i1e": i1e, "exp2": jnp.exp2, "log2": jnp.log2, "log10": jnp.log10,
    "deg2rad": jnp.deg2rad, "rad2deg": jnp.rad2deg, "recip": jnp.reciprocal, "softplus": jax.nn.softplus,
    "floor": jnp.floor, "ceil": jnp.ceil, "round": jnp.round, "trunc": jnp.trunc, "abs": jnp.abs, "sign": jnp.sign,
    "square": jnp.square, "neg": jnp.negative, "not": jnp.bitwise_not, "is_nan": jnp.isnan, "is_inf": jnp.isinf,
    "is_finite": jnp.isfinite, "relu": jax.nn.relu, "logical_not": jnp.logical_not, "real": jnp.real, "imag": jnp.imag,
    "conj": jnp.conj, "angle": jnp.angle, "nan_to_num": jnp.nan_to_num, "powi2": lambda x: x**2, "powi3": lambda x: x**3,
    "powi_minus1": lambda x: x**-1, "round_to_1": lambda x: jnp.round(x, 1),
}
# Functions whose results at these points are not worth more than their type.
loose = {"lgamma", "digamma", "erf_inv", "bessel_i1e"}

binary = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y,
    "rem": lambda x, y: x % y, "floor_divide": lambda x, y: x // y, "fmod": lambda x, y: jnp.fmod(counted(x), counted(y)), "atan2": jnp.arctan2,
    "hypot": jnp.hypot, "logaddexp": jnp.logaddexp, "maximum": jnp.maximum, "minimum": jnp.minimum,
    "and": jnp.bitwise_and, "or": jnp.bitwise_or, "xor": jnp.bitwise_xor, "equal": jnp.equal,
    "less": jnp.less, "greater_equal": jnp.greater_equal, "heaviside": jnp.heaviside,
    "logical_and": jnp.logical_and, "logical_or": jnp.logical_or, "logical_xor": jnp.logical_xor,
    "isclose": lambda x, y: jnp.isclose(x, y, 1e-3, 1e-3), "where": lambda x, y: jnp.where(x != 0, x, y),
    "dot": lambda x, y: jnp.vdot(jnp.conj(x), y), "matmul": lambda x, y: x @ y.T, "outer": jnp.outer,
}
powers = {"pow": lambda x, y: x**y}
weak = {
    "add_float": lambda x: x + 1.5, "mul_int": lambda x: x * 3, "div_int": lambda x: x / 2, "add_300": lambda x: x + 300,
    "add_minus_1": lambda x: x + -1, "less_300": lambda x: x < 300, "rem_0": lambda x: x % 0, "rem_3": lambda x: x % 3,
    "floor_divide_0": lambda x: x // 0, "maximum_minus_5": lambda x: jnp.maximum(x, -5),
    "clip": lambda x: jnp.clip(x, 1, 3), "pow_half": lambda x: jnp.power(x, 0.5),
    "full_300": lambda x: jnp.full_like(x, 300.0), "full_minus_1_5": lambda x: jnp.full_like(x, -1.5),
}
reductions = {
    "sum": jnp.sum, "prod": lambda x: jnp.prod(x[:9]), "mean": jnp.mean, "var": jnp.var, "std": jnp.std,
    "var_ddof": lambda x: jnp.var(x, ddof=1), "std_ddof": lambda x: jnp.std(x, ddof=1),
    "max": jnp.max, "min": jnp.min, "any": jnp.any, "all": jnp.all, "logsumexp": logsumexp,
    "ptp": jnp.ptp, "count_nonzero": lambda x: positions(jnp.count_nonzero(x)), "nansum": jnp.nansum, "nanmean": lambda x: jnp.nanmean(computed(x)).astype(jnp.nanmean(x[:1]).dtype),
    "nanmax": jnp.nanmax, "nanmin": jnp.nanmin, "argmax": lambda x: positions(jnp.argmax(x)), "argmin": lambda x: positions(jnp.argmin(x)), "median": jnp.median,
    "quantile": lambda x: jnp.quantile(x, 0.3), "trapezoid": lambda x: jnp.trapezoid(x, dx=0.5), "cov": jnp.cov,
    "average": lambda x: jnp.average(x, weights=x * x),
    "softmax_max": lambda x: jax.nn.softmax(inexact(x)).max(),
    "log_softmax_max": lambda x: jax.nn.log_softmax(inexact(x)).max(),
    "cumsum_last": lambda x: jnp.cumsum(computed(x))[-1].astype(jnp.cumsum(x[:1]).dtype), "cumprod_last": lambda x: jnp.cumprod(computed(x)[:9])[-1].astype(jnp.cumprod(x[:1]).dtype),
    "cummax_last": lambda x: jax.lax.cummax(x)[-1], "cummin_last": lambda x: jax.lax.cummin(x)[-1],
    "cumlogsumexp_last": lambda x: jax.lax.cumlogsumexp(inexact(x)[:40])[-1], "diff": lambda x: jnp.diff(x[:5]),
    "norm": jnp.linalg.norm, "searchsorted": lambda x: jnp.searchsorted(jnp.sort(x), x[1]),
    "nonzero": lambda x: positions(jnp.nonzero(x, size=3)[0]), "argsort": lambda x: positions(jnp.argsort(x[:5])),
    "sort": lambda x: jnp.sort(x[:5]), "unique": lambda x: jnp.unique(x, size=4),
}
rows = {
    "sum_axes": lambda x: jnp.sum(x, axis=1), "sum_keep": lambda x: jnp.sum(x, axis=1, keepdims=True),
    "prod_axes": lambda x: jnp.prod(x, axis=0), "mean_axes": lambda x: jnp.mean(x, axis=1),
    "mean_keep": lambda x: jnp.mean(x, axis=0, keepdims=True), "var_axes": lambda x: jnp.var(x, axis=1),
    "var_keep": lambda x: jnp.var(x, axis=1, keepdims=True), "std_axes": lambda x: jnp.std(x, axis=1),
    "max_axes": lambda x: jnp.max(x, axis=1), "min_keep": lambda x: jnp.min(x, axis=1, keepdims=True),
    "any_axes": lambda x: jnp.any(x, axis=1), # jnp.all of complex numbers looks at real parts; NumPy and jnp.logical_and at both.
    "all_axes": lambda x: jnp.all(x != 0, axis=0),
    "cumsum": lambda x: jnp.cumsum(computed(x), axis=1).astype(jnp.cumsum(x[0]).dtype), "cumprod": lambda x: jnp.cumprod(computed(x), axis=1).astype(jnp.cumprod(x[0]).dtype),
    "softmax": lambda x: jax.nn.softmax(inexact(x), axis=1), "log_softmax": lambda x: jax.nn.log_softmax(inexact(x), axis=1),
    "trace": jnp.trace, "cov_rows": jnp.cov, "corrcoef": jnp.corrcoef, "logsumexp_axes": lambda x: logsumexp(x, axis=1),
    "cov_ddof": lambda x: jnp.cov(x, ddof=0), "mean_none": lambda x: jnp.mean(x[:, :0]), "sum_none": lambda x: jnp.sum(x[:, :0]),
    "prod_none": lambda x: jnp.prod(x[:, :0]), "max_none": lambda x: jnp.max(x[:, :0]), "min_none": lambda x: jnp.min(x[:, :0], axis=1),
    "max_of_no_rows": lambda x: jnp.max(x[:0], axis=1), "argmax_none": lambda x: positions(jnp.argmax(x[:, :0], axis=1)),
    "argmin_of_no_rows": lambda x: positions(jnp.argmin(x[:0], axis=1)), "any_none": lambda x: jnp.any(x[:, :0], axis=1), "all_none": lambda x: jnp.all(x[:, :0]),
    "var_none": lambda x: jnp.var(x[:, :0]), "ptp_none": lambda x: jnp.ptp(x[:, :0]), "nanmax_none": lambda x: jnp.nanmax(x[:, :0]),
    "logsumexp_none": lambda x: logsumexp(x[:, :0], axis=1), "softmax_none": lambda x: jax.nn.softmax(inexact(x)[:, :0], axis=1),
    "cummax_none": lambda x: jax.lax.cummax(x[:, :0], axis=1), "sort_none": lambda x: jnp.sort(x[:, :0], axis=1),
    "take_out": lambda x: jnp.take(x, jnp.array([0, 3, -1, -4, 2]), axis=1),
    "take_clip": lambda x: jnp.take(x, jnp.array([0, 3, -1, -4, 2]), axis=1, mode="clip"),
    "take_narrow": lambda x: jnp.take(x, jnp.array([-1, 100, -128], dtype="int8"), axis=1),
    "take_unsigned": lambda x: jnp.take(x, jnp.array([2, 255], dtype="uint8"), axis=1),
    "take_along": lambda x: jnp.take_along_axis(x, jnp.array([[0, 3], [-1, -4]]), axis=1),
    "take_along_clip": lambda x: jnp.take_along_axis(x, jnp.array([[0, 3], [-1, -4]]), axis=1, mode="clip"),
    "at_get": lambda x: x.at[jnp.array([0, 2, -1, -3])].get(),
    "at_get_fill": lambda x: x.at[jnp.array([0, 2, -1, -3])].get(mode="fill"),
    "at_set": lambda x: x.at[jnp.array([0, 2, -3])].set(x[1]), "at_set_clip": lambda x: x.at[jnp.array([2, -3])].set(x[::-1], mode="clip"),
    "at_add": lambda x: x.at[jnp.array([0, 0, 2, -1])].add(x[0]),
    "take_none": lambda x: jnp.take(x[:, :0], jnp.array([0]), axis=1),
    "one_hot": lambda x: jax.nn.one_hot(jnp.array([0, 3, -1]), 3, dtype=x.dtype),
}
kinds = {
    "unary": (unary, lambda t: [a(t)], TYPES), "unary_special": (unary, lambda t: [special(t)], FLOATS),
    "binary": (binary, lambda t: [a(t), b(t)], TYPES), "binary_special": (binary, lambda t: [special(t), reversed_special(t)], FLOATS),
    "pow": (powers, lambda t: [jnp.abs(a(t)), b(t)], FLOATS), "weak": (weak, lambda t: [a(t)], REALS),
    "reduction": (reductions, lambda t: [long(t)], TYPES), "reduction_special": (reductions, lambda t: [special(t)], FLOATS),
    "rows": (rows, lambda t: [a(t)], TYPES),
}


def text(v):
    v = np.asarray(v)
    if v.dtype == np.bool_ or v.dtype.kind in "iu":
        return [str(int(x)) for x in v.ravel()]
    if v.dtype.kind == "c":
        return [f"{complex(x).real!r},{complex(x).imag!r}" for x in v.ravel()]
    return [repr(float(x)) for x in v.ravel().astype(np.float64)]


def row(kind, name, f, types, args):
    try:
        y = f(*args)
    except (TypeError, ValueError, IndexError, NotImplementedError, OverflowError, AssertionError):
        print(f"{kind} {name} {' '.join(types)} -> refused")
        return
    shape = "x".join(str(n) for n in y.shape) or "-"
    values = " ".join(text(y)) if name not in loose else "loose"
    print(f"{kind} {name} {' '.join(types)} -> {SHORT[str(y.dtype)]} {shape} : {values}".rstrip())


chosen = sys.argv[2:]
for kind, (functions, arguments, types) in kinds.items():
    for name, f in functions.items():
        if chosen and name not in chosen:
            continue
        for t in types:
            row(kind, name, f, [t], arguments(t))
# Operands of two types.
mixed = {n: binary[n] for n in ["add", "div", "rem", "floor_divide", "atan2", "maximum", "where", "matmul", "less"]}
for name, f in mixed.items():
    if chosen and name not in chosen:
        continue
    for t in NAMES:
        for u in NAMES:
            # ui32 beside a signed type promotes to i64.
            wide = {t, u} & set(WIDE_TYPES) or {t, u} in ({"ui32", "i8"}, {"ui32", "i16"}, {"ui32", "i32"})
            if t != u and bool(wide) == WIDE:
                y = jax.eval_shape(f, jax.ShapeDtypeStruct((2, 3), NAMES[t]), jax.ShapeDtypeStruct((2, 3), NAMES[u])) if not (
                    name in ("rem", "floor_divide", "atan2") and "complex" in t + u) else None
                if y is not None:
                    print(f"mixed {name} {t} {u} -> {SHORT[str(y.dtype)]} {'x'.join(map(str, y.shape))} : loose")
