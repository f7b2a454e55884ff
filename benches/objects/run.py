"""Objects compiled ahead of time beside the same programs in the process, and beside JAX's CPU.

    python benches/objects/run.py [--unseen | --seen] [--cpu native] [NAME ..]

needs jax, a C compiler and `target/release/wengert` (or another by WENGERT). Every program is right within 3 times JAX's own error
(against JAX in float64), or said not to be. Prints a table, and geometric means of the seen and of the unseen apart.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import numpy as np

import programs

HERE = pathlib.Path(__file__).resolve().parent
WENGERT = os.environ.get("WENGERT", str(HERE / "../../target/release/wengert"))
FOLDER = HERE / "../../target/objects"


def run(*words, folder, **environment):
    done = subprocess.run(words, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def leaves(tree):
    return [np.asarray(leaf) for leaf in jax.tree.leaves(tree)]


def cast(args, dtype):
    return jax.tree.map(lambda a: np.asarray(a, dtype) if np.asarray(a).dtype.kind == "f" else np.asarray(a), list(args))


def by_jax(f, args, dtype):
    """What JAX gives, the text that it makes, and the least microseconds of a call."""
    jax.config.update("jax_enable_x64", dtype == np.float64)
    jax.clear_caches()
    # Not the function itself: JAX keeps what it traced of that in the other precision.
    jitted = jax.jit(lambda *args: f(*args))
    args = cast(args, dtype)
    given = jax.device_put(args)
    results = leaves(jax.block_until_ready(jitted(*given)))
    times, end = [], time.perf_counter() + 0.2
    while time.perf_counter() < end:
        start = time.perf_counter()
        jax.block_until_ready(jitted(*given))
        times.append(time.perf_counter() - start)
    return leaves(args), results, jitted.lower(*args).as_text(), 1e6 * min(times)


def error(found, exact):
    found, exact = np.asarray(found, np.float64), np.asarray(exact, np.float64)
    if not np.array_equal(np.isfinite(found), np.isfinite(exact)):
        return np.inf
    finite = np.isfinite(exact)
    largest = np.abs(exact[finite]).max(initial=0.0)
    return np.abs(found - exact)[finite].max(initial=0.0) / (largest or 1.0)


def measured(name, f, args, dtype, cpu):
    dtype = np.float64 if dtype == "f64" else np.float32
    _, exact, _, _ = by_jax(f, args(), np.float64)
    args, jaxs, text, jax_us = by_jax(f, args(), dtype)
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "f.mlir").write_text(text)
    for k, arg in enumerate(args):
        arg.tofile(folder / f"in{k}.bin")
        np.save(folder / f"in{k}.npy", arg)
    run(WENGERT, "build", "f.mlir", "-o", "f.o", "--header", "--symbol", "f", "--cpu", cpu, folder=folder)
    scratch = re.search(r"_SCRATCH_BYTES (\d+)", (folder / "f.h").read_text())[1]
    places = [f"in[{k}]" for k in range(len(args))] + [f"out[{k}]" for k in range(len(jaxs))] + ["scratch"]
    options = ["-O2", '-DHEADER="f.h"', f"-DCALL=f({', '.join(places)})", "-I."]
    run("cc", *options, HERE / "driver.c", "f.o", "-lm", "-o", "main", folder=folder)
    sizes = [str(a.nbytes) for a in args] + [":"] + [str(a.nbytes) for a in jaxs] + [":", scratch]
    object_us = float(run("./main", *sizes, folder=folder))
    errors = []
    for k, (ours, own) in enumerate(zip(jaxs, exact)):
        found = np.fromfile(folder / f"out{k}.bin", ours.dtype).reshape(ours.shape)
        errors.append((error(found, own), error(ours, own)))
    inputs = [f"in{k}.npy" for k in range(len(args))]
    bench = ["bench", "f.mlir", "--inputs", *inputs, "--no-eager", "--min", "--json", "--seconds", "0.3"]
    process_us = json.loads(run(WENGERT, *bench, folder=folder, WENGERT_THREADS="1"))["call_us"]
    bound = 1e-12 if dtype == np.float64 else 1e-6
    worse = [k for k, (ours, theirs) in enumerate(errors) if ours > max(3 * theirs, bound)]
    return object_us, process_us, jax_us, worse


def mean(ratios):
    return float(np.exp(np.mean(np.log(ratios)))) if ratios else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--cpu", default="native")
    parser.add_argument("--seen", action="store_true", help="only those that may be looked at")
    parser.add_argument("--unseen", action="store_true", help="only every third, which was put aside")
    asked = parser.parse_args()
    ratios = {False: [], True: []}
    print("| program | object, us | process | JAX | less exact |\n|---|--:|--:|--:|---|")
    for name, f, args, dtype, unseen in programs.P:
        if asked.names and name not in asked.names or unseen and asked.seen or not unseen and asked.unseen:
            continue
        ours, process, theirs, worse = measured(name, f, args, dtype, asked.cpu)
        ratios[unseen].append(ours / process)
        said = f"results {worse}" if worse else ""
        print(f"| {name}{' (unseen)' if unseen else ''} | {ours:.3g} | {process:.3g} | {theirs:.3g} | {said} |", flush=True)
    for unseen, kind in ((False, "seen"), (True, "unseen")):
        if ratios[unseen]:
            print(f"{len(ratios[unseen])} {kind}: object / process {mean(ratios[unseen]):.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
