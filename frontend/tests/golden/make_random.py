"""Writes random.txt: what jax.random gives, as hexadecimal bits, one case a line. Made with JAX 0.10.2 on CPU, and mpmath."""
import jax, mpmath as mp, numpy as np

jax.config.update("jax_enable_x64", True)
mp.mp.prec = 120
assert jax.config.jax_threefry_partitionable
R = jax.random
lines = []

def case(name, *values):
    for v in values:
        v = np.asarray(v)
        words = v.astype(np.uint8) if v.dtype == bool else v.view({4: np.uint32, 8: np.uint64}[v.itemsize])
        lines.append(f"{name}: {' '.join(format(int(w), 'x') for w in words.ravel())}")

def exact_normal(k, dtype):
    """sqrt(2) erfinv(u), correctly rounded, of JAX's own uniform numbers."""
    u = np.asarray(R.uniform(k, (40,), dtype, np.nextafter(dtype(-1), dtype(0)), dtype(1)))
    return np.array([dtype(mp.sqrt(2) * mp.erfinv(mp.mpf(float(x)))) for x in u], dtype)

data = lambda k: R.key_data(k)
for seed in (0, 42, 1 << 40 | 7):
    k = R.key(seed)
    case(f"key {seed}", data(k))
    case(f"split {seed} 3", data(R.split(k, 3)))
    case(f"fold_in {seed} 5", data(R.fold_in(k, 5)))
    case(f"fold_in {seed} 4000000000", data(R.fold_in(k, np.uint32(4000000000))))
    case(f"bits {seed} 7 ui32", R.bits(k, (7,), np.uint32))
    case(f"bits {seed} 2,3 ui64", R.bits(k, (2, 3), np.uint64))
    case(f"bits {seed} - ui32", R.bits(k, (), np.uint32))
    case(f"uniform {seed} 5 f32", R.uniform(k, (5,), np.float32))
    case(f"uniform {seed} 5 f64", R.uniform(k, (5,), np.float64))
    case(f"uniform {seed} 5 f32 -2 6", R.uniform(k, (5,), np.float32, -2, 6))
    case(f"uniform {seed} 5 f64 -2 6", R.uniform(k, (5,), np.float64, -2, 6))
    case(f"normal {seed} 40 f32", R.normal(k, (40,), np.float32))
    case(f"normal {seed} 40 f64", R.normal(k, (40,), np.float64))
    case(f"exact_normal {seed} 40 f32", exact_normal(k, np.float32))
    case(f"exact_normal {seed} 40 f64", exact_normal(k, np.float64))
    case(f"bernoulli {seed} 10 0.3", R.bernoulli(k, np.float32(0.3), (10,)))
    case(f"randint {seed} 8 i32 -3 10", R.randint(k, (8,), -3, 10, np.int32))
    case(f"randint {seed} 8 i64 -3 1000000000000", R.randint(k, (8,), -3, 10**12, np.int64))
    case(f"randint {seed} 8 ui32 0 1000", R.randint(k, (8,), 0, 1000, np.uint32))
open("random.txt", "w").write("\n".join(lines) + "\n")
