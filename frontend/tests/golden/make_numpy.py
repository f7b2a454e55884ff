"""Writes numpy.txt: results of NumPy expressions, `expression | type | shape | values`. ../numpy.rs has the same ones."""
import numpy as np

x = np.arange(24.0).reshape(2, 3, 4) * 0.5 - 3
m = np.sin(np.arange(12.0)).reshape(3, 4)
v = np.array([3.0, -1.0, 2.0, 0.5])
w = np.array([1.0, -2.0, 0.25])
i = np.array([[5, -3, 2], [-7, 4, 0]], np.int32)
u = np.array([7, 0, 3], np.uint32)
p = np.array([[True, False, True], [False, False, True]])
b = np.cos(np.arange(24.0)).reshape(2, 4, 3)
e = np.zeros((0, 3))
nan = np.array([1.0, np.nan, -2.0])

cases = """
x[0]
x[-1]
x[1, 2, 3]
x[:, 1]
x[..., -1]
x[..., 1:3]
x[0, ..., -2]
x[1:, :2, 1:-1]
x[:, None]
x[..., None]
x[None, 1, None]
x[:, 5:]
x[:, :100]
m[::2]
m[:, 1::3]
m[-2:]
np.take(m, [2, 0, -1], 0)
np.take(m, [[0, 1], [3, 3]], 1)
np.take(x, 1, 1)
x + v
x * m
m - w[:, None]
v[:, None] / w
i + 1
i / 2
i % 3
i % np.array([[2], [-3]], np.int32)
u + 2
i * w
p + i
-i
v % 2.0
-v % 2.0
np.maximum(m, 0.25)
np.minimum(w[:, None], v)
np.clip(v, -0.5, 2.5)
np.where(p, i, 10)
np.where(m > 0, m, v)
i < 0
i == 4
(i >= 0) & (i != 4)
~p
p ^ True
np.sum(x)
np.sum(x, 1)
np.sum(x, (0, 2))
np.sum(x, -1, keepdims=True)
np.sum(p)
np.sum(e, 0)
np.sum(i, 0)
np.prod(w)
np.prod(m, 1)
np.mean(x, (0, 1))
np.mean(i)
np.var(m, 1)
np.max(i, 0)
np.min(i, 1)
np.max(nan)
np.min(x, (1, 2))
np.any(p)
np.all(p)
np.argmax(m, 1)
np.argmin(i, 0)
np.argmax(nan)
v @ v
m @ v
w @ m
m @ m.T
x @ b
x @ v
w @ x
m @ b
x @ m.T
i @ u
np.tensordot(x, b, ([2], [1]))
x.reshape(4, 6)
x.reshape(-1, 2)
x.transpose(2, 0, 1)
m.T
np.swapaxes(x, 0, -1)
np.expand_dims(m, 1)
np.squeeze(x[:, :1], 1)
np.broadcast_to(w[:, None], (2, 3, 2))
np.flip(x, 1)
np.pad(m, ((1, 0), (0, 2)), constant_values=7)
np.concatenate([m, w[:, None]], 1)
np.stack([w, w * 2], 0)
np.stack([w, w * 2], -1)
np.arange(5)
np.linspace(-1.0, 2.0, 7)
np.eye(3)
np.full((2, 2), 2.5)
x ** 2
2.0 ** v
np.exp(m)
np.log1p(m * m)
np.sqrt(np.abs(m))
np.cbrt(v)
np.arctan2(v, m)
np.tanh(x)
np.floor(v)
np.round(v)
np.sign(v)
np.isfinite(nan)
np.square(v)
v.astype(int)
p.astype(float)
""".strip().split("\n")

names = {"float64": "f64", "float32": "f32", "int64": "i64", "int32": "i32", "uint32": "ui32", "bool": "i1"}
with open("numpy.txt", "w") as out:
    for case in cases:
        r = np.asarray(eval(case))
        shape = "x".join(map(str, r.shape)) or "-"
        print(f"{case} | {names[r.dtype.name]} | {shape} | {' '.join(repr(float(a)) for a in r.ravel())}", file=out)
