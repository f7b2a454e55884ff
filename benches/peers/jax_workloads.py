"""The workloads of ../src/workloads in JAX, on the inputs that the report writes. Prints a JSON object a line:
{"workload", "peer", "threads", "check"} and, but for --check, "us" (median time of a call) with "us_low" and "us_high"
(quartiles), "first_us" (the first call, compilation included), "compile_ms" and "peak_mb" (growth of memory in use).

python jax_workloads.py --inputs DIR [--threads N] [--quick] [--check] [--eager] [--peer PEER] NAME ...
"""
import argparse, json, os, pathlib, statistics, time

parser = argparse.ArgumentParser()
parser.add_argument("--inputs", required=True, help="the folder with the inputs")
parser.add_argument("--threads", type=int, default=0, help="0: as many as there are")
parser.add_argument("--quick", action="store_true", help="short measurements")
parser.add_argument("--check", action="store_true", help="check values only")
parser.add_argument("--eager", action="store_true", help="without jit, too")
parser.add_argument("--peer", default="jax", help="what to call this in the output")
parser.add_argument("names", nargs="+")
options = parser.parse_args()
threads = options.threads or os.cpu_count()
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
if threads == 1:
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax, numpy as np

jax.config.update("jax_enable_x64", True)
from themes import FAMILIES


def inputs(name):
    """The leaves of the arguments: workloads that differ in the last part of the name share them."""
    folder = pathlib.Path(options.inputs) / name.rsplit(".", 1)[0]
    files = sorted(folder.glob("*.npy"), key=lambda p: int(p.stem))
    return [jax.device_put(np.load(p)) for p in files]


def function(name):
    """What a workload computes of the leaves of its arguments."""
    family, what = name.rsplit(".", 1)
    entry = FAMILIES.get(family) or FAMILIES[family.split(".")[0]]
    if what in entry:
        return entry[what]
    f, wrt = entry["f"], entry.get("wrt", (0,))
    # `wrt` are numbers of leaves, or how many leaves at the end are left out.
    numbers = lambda args: tuple(range(len(args) + wrt)) if isinstance(wrt, int) else wrt
    if what == "vg":
        return lambda *args: jax.value_and_grad(f, numbers(args))(*args)
    if what == "grad":
        return lambda *args: jax.grad(f, numbers(args))(*args)
    if what == "grad2":
        return jax.grad(jax.grad(f))
    if what == "hessian":
        return jax.hessian(f)
    if what == "step":
        def step(*args):
            chosen = numbers(args)
            loss, gradient = jax.value_and_grad(f, chosen)(*args)
            return loss, [args[k] - 0.01 * g for k, g in zip(chosen, gradient)]
        return step
    raise SystemExit(f"no workload is called {name}")


def memory(field):
    """Kilobytes of VmRSS (now) or VmHWM (the most since the last reset)."""
    try:
        status = pathlib.Path("/proc/self/status").read_text()
        return int(status.split(field + ":")[1].split()[0])
    except (OSError, IndexError):
        return None


def reset_peak():
    try:
        pathlib.Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass


def times(f):
    """Median and quartiles of seconds per call; short calls are repeated within a sample."""
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
    samples.sort()
    n = len(samples)
    return {"us": statistics.median(samples) * 1e6, "us_low": samples[n // 4] * 1e6, "us_high": samples[3 * n // 4] * 1e6}


def timed(f):
    start = time.perf_counter()
    result = f()
    return result, time.perf_counter() - start


def weighted(x):
    """The sum of absolute values weighted by place and sign, as in ../src/workloads/mod.rs."""
    return float(np.sum(np.abs(x) * (1 + np.arange(x.size) % 7 + 7 * (x < 0))))


def compilation(f, args):
    """Median milliseconds from the function to machine code; once if it takes long."""
    samples = []
    for _ in range(1 if options.quick else 3):
        jax.clear_caches()
        _, seconds = timed(lambda: jax.jit(lambda *a: f(*a)).lower(*args).compile())
        samples.append(seconds * 1e3)
        if seconds > 5:
            break
    return statistics.median(samples)


for name in options.names:
    f, args = function(name), inputs(name)
    line = {"workload": name, "peer": options.peer, "threads": threads}
    reset_peak()
    before = memory("VmRSS")
    jitted = jax.jit(lambda *a: f(*a))
    call = lambda: jax.block_until_ready(jitted(*args))
    result, first = timed(call)
    line["check"] = sum(weighted(np.asarray(r, np.float64).ravel()) for r in jax.tree.leaves(result))
    if not options.check:
        line |= times(call) | {"first_us": first * 1e6}
        if before is not None:
            line["peak_mb"] = (memory("VmHWM") - before) / 1e3
        line["compile_ms"] = compilation(f, args)
    print(json.dumps(line), flush=True)
    if options.eager and not options.check:
        eager = times(lambda: jax.block_until_ready(f(*args)))
        print(json.dumps({"workload": name, "peer": "jax eager", "threads": threads} | eager), flush=True)
