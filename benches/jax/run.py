"""Programs of JAX's users, unchanged, on Wengert and on JAX's CPU platform: ``python benches/jax/run.py``.

Each program runs in a process of its own for each platform, so that the first result has everything in it but the import of JAX:
what is not compiling is tracing in Python, the same on both, and one call. Processes of both platforms take turns, and of several
rounds the best counts. The numbers that both give must be near.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
#: Seconds that a process may take.
LIMIT = 1200
PLATFORMS = {"wengert": "wengert,cpu", "cpu": "cpu"}


def load():
    """The programs by name, without those whose library is not installed."""
    sys.path.insert(0, str(HERE))
    from programs import PROGRAMS

    return {name: p for name, p in PROGRAMS.items() if p.is_here()}


def child(name, seconds):
    """Runs one program in this process and prints what it took."""
    import jax
    import numpy as np

    program = load()[name]
    jax.config.update("jax_enable_x64", program.x64)
    # Starting a platform is no part of a program.
    jax.block_until_ready(jax.numpy.zeros(1) + 1)
    compiling = []
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, seconds, **_: compiling.append(seconds) if event.endswith("backend_compile_duration") else None
    )
    before = time.perf_counter()
    call = program.make()
    out = jax.block_until_ready(call())
    first = time.perf_counter() - before
    compiled = sum(compiling)
    times = []
    begin = time.perf_counter()
    while len(times) < 3 or time.perf_counter() - begin < seconds and len(times) < 10000:
        start = time.perf_counter()
        jax.block_until_ready(call())
        times.append(time.perf_counter() - start)
    leaves = [np.asarray(leaf, dtype=np.float64).ravel() for leaf in jax.tree.leaves(out)]
    print(
        json.dumps(
            {
                "first": first,
                "compile": compiled,
                "steady": statistics.median(times),
                "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "check": [checked(leaf) for leaf in leaves],
            }
        )
    )


def measure(name, platform, seconds):
    """What a program took on a platform, or what went wrong."""
    environment = dict(os.environ, JAX_PLATFORMS=PLATFORMS[platform])
    command = [sys.executable, __file__, "--child", name, "--seconds", str(seconds)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"error": f"it takes more than {LIMIT} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def checked(leaf):
    """What shows that numbers are others: their absolute values, their sum with weights of their own, how many they are."""
    import numpy as np

    weights = np.cos(np.arange(leaf.size))
    return [float(np.sum(np.abs(leaf))), float(np.sum(leaf * weights)), int(leaf.size)]


def near(a, b):
    """Whether checks agree, to a part in a thousand of the absolute values."""
    return len(a) == len(b) and all(
        n == m and max(abs(x - y), abs(v - w)) <= 1e-3 * max(x, y, 1e-6) for (x, v, n), (y, w, m) in zip(a, b)
    )


def main():
    """Runs all and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="programs whose names contain one of these; all if none")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long a process repeats its program")
    parser.add_argument("--save", type=pathlib.Path, help="a file to which each program's figures are added, a JSON object a line")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child, options.seconds)
    programs = load()
    names = [n for n in programs if not options.names or any(word in n for word in options.names)]
    print("| program | first result: wengert / cpu | of it compiling | again: wengert / cpu | memory: wengert / cpu |")
    print("|---|---:|---:|---:|---:|")
    firsts, compiles, steadies = [], [], []
    for name in names:
        found = {platform: [] for platform in PLATFORMS}
        for _ in range(options.rounds):
            for platform in PLATFORMS:
                found[platform].append(measure(name, platform, options.seconds))
        wrong = [f"{p}: {r['error']}" for p, all_ in found.items() for r in all_ if "error" in r]
        if wrong:
            print(f"| {name} | {wrong[0][:120]} | | | |", flush=True)
            continue
        best = {p: {k: min(r[k] for r in all_) for k in ("first", "compile", "steady", "memory")} for p, all_ in found.items()}
        here, there = best["wengert"], best["cpu"]
        agree = "" if near(found["wengert"][0]["check"], found["cpu"][0]["check"]) else " (results differ)"
        firsts.append(there["first"] / here["first"])
        compiles.append(there["compile"] / here["compile"])
        steadies.append(there["steady"] / here["steady"])
        cells = [
            f"{here['first']:.2f} / {there['first']:.2f} s ({firsts[-1]:.1f}x)",
            f"{here['compile']:.3f} / {there['compile']:.2f} s ({compiles[-1]:.1f}x)",
            f"{here['steady'] * 1e3:.3f} / {there['steady'] * 1e3:.3f} ms ({steadies[-1]:.1f}x)",
            f"{here['memory']:.0f} / {there['memory']:.0f} MB",
        ]
        print(f"| {name}{agree} | " + " | ".join(cells) + " |", flush=True)
        if options.save:
            with open(options.save, "a") as file:
                print(json.dumps({"name": name, "agree": not agree, **best}), file=file)
    if firsts:
        mean = statistics.geometric_mean
        print(f"| geometric mean | {mean(firsts):.2f}x | {mean(compiles):.2f}x | {mean(steadies):.2f}x | |")


if __name__ == "__main__":
    main()
