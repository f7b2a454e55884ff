"""JAX's gradient of the scan of ../../examples/memory.rs: 100,000 steps over 1,000 f32, as it is and with a checkpoint
around every 316 steps. Prints milliseconds (least of five) and the growth of peak memory, each in a process of its own:
python long_scan.py [plain|root]."""

import resource
import subprocess
import sys
import time

if len(sys.argv) < 2:
    for which in ["plain", "root"]:
        print(which, subprocess.run([sys.executable, __file__, which], capture_output=True, text=True).stdout.strip())
    sys.exit()

import jax
import jax.numpy as jnp
import numpy as np

numbers = lambda scale: jnp.asarray((np.arange(1000) * 7919 % 2003 / 1001.5 - 1.0) * scale, jnp.float32)
step = lambda w: lambda c, _: (jnp.sin(c * w) + 0.01, None)


def plain(w, x):
    return jax.lax.scan(step(w), x, None, length=100_000)[0].sum()


def root(w, x):
    inner = jax.checkpoint(lambda c, _: (jax.lax.scan(step(w), c, None, length=316)[0], None))
    x = jax.lax.scan(inner, x, None, length=316)[0]
    return jax.lax.scan(step(w), x, None, length=100_000 - 316 * 316)[0].sum()


f = jax.jit(jax.value_and_grad({"plain": plain, "root": root}[sys.argv[1]]))
args = (numbers(1.2), numbers(1.0))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
best = 1e9
for _ in range(5):
    start = time.perf_counter()
    jax.block_until_ready(f(*args))
    best = min(best, time.perf_counter() - start)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(f"{best * 1e3:.0f} ms, {grown / 1024:.0f} MB")
