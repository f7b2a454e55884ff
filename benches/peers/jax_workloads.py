"""The workloads of ../src/workloads.rs in JAX. Prints one JSON object a line:
{"workload", "peer", "threads", "us" (median time of a call), "compile_ms", "check"}.

python jax_workloads.py [--threads N] [--quick] [--eager] [--check] [NAME ...]
"""
import argparse, json, os, statistics, sys, time

parser = argparse.ArgumentParser()
parser.add_argument("--threads", type=int, default=0, help="0: as many as there are")
parser.add_argument("--quick", action="store_true", help="short measurements")
parser.add_argument("--eager", action="store_true", help="without jit, too")
parser.add_argument("--check", action="store_true", help="check values only")
parser.add_argument("names", nargs="*", help="all if none")
options = parser.parse_args()
threads = options.threads or os.cpu_count()
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
if threads == 1:
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax, jax.numpy as jnp, numpy as np

jax.config.update("jax_enable_x64", True)


def wave(shape, phase, dtype):
    n = int(np.prod(shape))
    return jnp.asarray(np.sin(0.37 * np.arange(n, dtype=np.float64) + phase).reshape(shape).astype(dtype))


def scalar(x):
    return jnp.sin(x * x) + jnp.exp(-x) * x


def rosenbrock(x):
    a, b = x[:-1], x[1:]
    return jnp.sum(100.0 * (b - a**2) ** 2 + (1.0 - a) ** 2)


def fused(x, a, b):
    return jnp.mean(jnp.tanh(a * x + b) * jnp.exp(-x * x) + jnp.log1p(x * x))


def lorenz(s, p):
    h = 0.01

    def slope(s):
        x, y, z = s[0], s[1], s[2]
        return jnp.stack([p[0] * (y - x), x * (p[1] - z) - y, x * y - p[2] * z])

    def step(s, _):
        k1 = slope(s)
        k2 = slope(s + k1 * (h / 2))
        k3 = slope(s + k2 * (h / 2))
        k4 = slope(s + k3 * h)
        return s + (k1 + 2 * k2 + 2 * k3 + k4) * (h / 6), None

    s, _ = jax.lax.scan(step, s, None, length=1000)
    return jnp.sum(s**2)


def network(sizes, batch):
    layers = [
        (wave((i, o), float(k), np.float32) * np.float32((2.0 / i) ** 0.5), jnp.zeros(o, np.float32))
        for k, (i, o) in enumerate(zip(sizes, sizes[1:]))
    ]
    return layers, wave((batch, sizes[0]), 5.0, np.float32), jnp.asarray(np.arange(batch) * 7 % 10, np.int32)


def cross_entropy(layers, x, labels):
    for w, b in layers[:-1]:
        x = jax.nn.relu(x @ w + b)
    logits = x @ layers[-1][0] + layers[-1][1]
    chosen = jnp.take_along_axis(logits, labels[:, None], 1)[:, 0]
    return jnp.mean(jax.nn.logsumexp(logits, 1) - chosen)


def sgd_step(layers, x, labels):
    loss, gradient = jax.value_and_grad(cross_entropy)(layers, x, labels)
    return loss, jax.tree.map(lambda p, g: p - 0.01 * g, layers, gradient)


def workloads():
    x = (jnp.asarray(0.7),)
    yield "scalar.f", scalar, x
    yield "scalar.grad", jax.grad(scalar), x
    yield "scalar.grad2", jax.grad(jax.grad(scalar)), x
    for n in (10, 1000, 1_000_000):
        x = (wave((n,), 1.0, np.float64),)
        yield f"rosenbrock.{n}.f", rosenbrock, x
        yield f"rosenbrock.{n}.vg", jax.value_and_grad(rosenbrock), x
    for n in (10_000, 1_000_000):
        args = (wave((n,), 2.0, np.float32), jnp.float32(1.3), jnp.float32(0.2))
        yield f"fused.{n}.f", fused, args
        yield f"fused.{n}.vg", jax.value_and_grad(fused), args
    start = (jnp.ones(3), jnp.array([10.0, 28.0, 8.0 / 3.0]))
    yield "lorenz.1000.f", lorenz, start
    yield "lorenz.1000.vg", jax.value_and_grad(lorenz, (0, 1)), start
    yield "digits.step", sgd_step, network([64, 128, 64, 10], 64)
    yield "mlp.1.step", sgd_step, network([784, 512, 256, 10], 1)
    yield "mlp.128.step", sgd_step, network([784, 512, 256, 10], 128)


def median(f):
    """Median seconds per call; short calls are repeated within a sample."""
    enough, sample = (0.02, 20e-6) if options.quick else (0.4, 50e-6)
    f()

    def timed(repeats):
        start = time.perf_counter()
        for _ in range(repeats):
            f()
        return time.perf_counter() - start

    repeats = 1
    while timed(repeats) < sample:
        repeats *= 2
    samples, start = [], time.perf_counter()
    while len(samples) < 3 or time.perf_counter() - start < enough:
        samples.append(timed(repeats) / repeats)
    return statistics.median(samples)


for name, f, args in workloads():
    if options.names and name not in options.names:
        continue
    compile_times = []
    for _ in range(1 if options.quick or options.check else 5):
        jax.clear_caches()
        fresh = lambda *a: f(*a)
        start = time.perf_counter()
        compiled = jax.jit(fresh).lower(*args).compile()
        compile_times.append(time.perf_counter() - start)
    jitted = jax.jit(lambda *a: f(*a))
    result = jax.block_until_ready(jitted(*args))
    check = float(sum(np.abs(np.asarray(r, np.float64)).sum() for r in jax.tree.leaves(result)))
    line = {"workload": name, "peer": "jax", "threads": threads, "check": check}
    if not options.check:
        line["us"] = median(lambda: jax.block_until_ready(jitted(*args))) * 1e6
        line["compile_ms"] = statistics.median(compile_times) * 1e3
    print(json.dumps(line), flush=True)
    if options.eager and not options.check:
        us = median(lambda: jax.block_until_ready(f(*args))) * 1e6
        print(json.dumps({"workload": name, "peer": "jax eager", "threads": threads, "us": us, "check": check}), flush=True)
