"""The family of programs, with us and with JAX, turn by turn: ``python benches/family/run.py``.

Programs are exported to target/family where they are not yet. Of each, the function (``f``), JAX's program of its value and
gradient (``vg``) and our own gradient of the function (``grad``) run with us; the first two, and for the third the second, with
JAX. Of several rounds the least time counts. Values must be JAX's, as far as a change of the inputs by their rounding leaves
them alone. Ratios are JAX's time by ours: below 1 we are slower. Every third program is held out: figures of it are for the
end, not for tuning, and are reported apart.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

import family  # noqa: E402


class Jax:
    """A process that measures JAX on so many threads."""

    def __init__(self, threads, cpus):
        flags = f"--xla_cpu_multi_thread_eigen={'true' if threads > 1 else 'false'}"
        environment = dict(os.environ, JAX_PLATFORMS="cpu", XLA_FLAGS=flags, NPROC=str(threads))
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cpus[:threads]),
        )

    def microseconds(self, name, size, function, seconds):
        """The least time of a call."""
        self.process.stdin.write(f"{name} {size} {function} {seconds}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def serve():
    """Measures what the lines of standard input name."""
    import time

    import jax

    programs = {p.name: p for p in family.load()}
    known = (None, None)
    for line in sys.stdin:
        name, size, function, seconds = line.split()
        p = programs[name]
        with family.mode(p):
            if known[0] != (name, size):
                args = jax.tree.map(jax.numpy.asarray, family.make(p, size))
                known = ((name, size), (args, family.functions(p)))
            args, functions = known[1]
            call = functions[function]
            jax.block_until_ready(call(*args))
            least, begin, count = float("inf"), time.perf_counter(), 0
            while count < 3 or time.perf_counter() - begin < float(seconds):
                start = time.perf_counter()
                jax.block_until_ready(call(*args))
                least = min(least, time.perf_counter() - start)
                count += 1
        print(least * 1e6, flush=True)


def given(folder, about, x64):
    """The file of an input as its program takes it: bfloat16 as two opaque bytes, which is how NumPy saves it, and numbers of 64
    bits as JAX cuts them where it is not told otherwise."""
    import numpy as np

    file = folder / about["file"]
    cut = {} if x64 else {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}
    if about["dtype"] == "bfloat16":
        made = file.with_suffix(".v2.npy")
        if not made.exists():
            np.save(made, np.load(file).view("V2"))
    elif about["dtype"] in cut:
        made = file.with_suffix(".cut.npy")
        if not made.exists():
            np.save(made, np.load(file).astype(cut[about["dtype"]]))
    else:
        made = file
    return made


def command(options, folder, meta, function):
    """The arguments of our command for a function of a program."""
    words = [str(folder / ("vg.mlir" if function == "vg" else "f.mlir"))]
    words += ["--inputs", *(str(given(folder, i, meta["x64"])) for i in meta["inputs"])]
    if function == "grad":
        words += ["--grad", ",".join(map(str, meta["diff_inputs"]))]
    return words


def ours(options, words, threads, cpus):
    """The least time of a call with us, in microseconds, or what went wrong."""
    done = subprocess.run(
        [options.wengert, "bench", *words, "--json", "--min", "--no-eager", "--seconds", str(options.seconds)],
        capture_output=True,
        text=True,
        env=dict(os.environ, WENGERT_THREADS=str(threads)),
        preexec_fn=lambda: os.sched_setaffinity(0, cpus[:threads]),
        timeout=600,
    )
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1])
    return json.loads(done.stdout)["call_us"]


def values(options, folder, meta, function):
    """How far our results are from JAX's, and how far they may be."""
    import numpy as np

    names = meta["functions"]["vg" if function == "grad" else function]
    with tempfile.TemporaryDirectory() as out:
        words = command(options, folder, meta, function)
        what, outputs = "run", names["outputs"]
        files = [f"out{k}.npy" for k in range(len(outputs))]
        if function == "grad":
            at = words.index("--grad")
            words = [*words[:at], "--wrt", *words[at + 1 :]]
            # Gradients only: their value is that of the function.
            what, outputs = "grad", outputs[1:]
            files = [f"grad{k}.npy" for k in meta["diff_inputs"]]
        done = subprocess.run([options.wengert, what, *words, "--outputs", out], capture_output=True, text=True)
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["no message"])[-1]
        found = [np.load(f"{out}/{file}") for file in files]
    expected = [np.load(folder / o["file"]) for o in outputs]
    for k, about in enumerate(outputs):
        if about["dtype"] == "bfloat16":
            for arrays in (found, expected):
                arrays[k] = (arrays[k].view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    gap = family.gap(expected, found)
    allowed = max(1e-9 if meta["x64"] else 2e-4, 100 * names["roundoff_sensitivity"], meta.get("tol") or 0)
    return None if gap <= allowed else f"values differ by {gap:.1e}, allowed {allowed:.1e}"


def summary(title, rows):
    """Prints what the ratios of rows come to."""
    for threads in sorted({r["threads"] for r in rows}):
        for function in ("f", "vg", "grad"):
            ratios = [r["ratio"] for r in rows if r["function"] == function and r["threads"] == threads]
            if ratios:
                below = lambda x: sum(r < x for r in ratios)  # noqa: E731
                mean = statistics.geometric_mean(ratios)
                print(
                    f"{title}, {threads} thread(s), {function}: {mean:.2f}x JAX over {len(ratios)}; "
                    f"below 0.95 {below(0.95)}, below 0.7 {below(0.7)}, least {min(ratios):.2f}"
                )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="names, fields, prefix*, open, held_out; all of them if none")
    parser.add_argument("--sizes", default="small,medium,large")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--functions", default="f,vg,grad")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1, help="how long a figure is measured in a round")
    parser.add_argument("--wengert", default=str(ROOT / "target" / "release" / "wengert"))
    parser.add_argument("--folder", default=str(ROOT / "target" / "family"), help="where programs are exported to")
    parser.add_argument("--save", help="write the figures to this file, a JSON object a line")
    parser.add_argument("--no-values", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    cpus = sorted(os.sched_getaffinity(0))
    programs = family.select(family.load(), options.names)
    workers = {n: Jax(n, cpus) for n in map(int, options.threads.split(","))}
    rows, wrong = [], []
    save = open(options.save, "a") if options.save else None
    for p in programs:
        for size in options.sizes.split(","):
            folder = pathlib.Path(options.folder) / p.name / size
            if not (folder / "meta.json").exists():
                export = [sys.executable, str(HERE / "family.py"), "export", options.folder, "--only", p.name]
                subprocess.run([*export, "--sizes", size], check=True, stdout=subprocess.DEVNULL)
            meta = json.loads((folder / "meta.json").read_text())
            for function in options.functions.split(","):
                theirs = "vg" if function == "grad" else function
                if theirs not in meta["functions"]:
                    continue
                words = command(options, folder, meta, function)
                if not options.no_values:
                    why = values(options, folder, meta, function)
                    if why:
                        wrong.append(f"{p.name} {size} {function}: {why}")
                for threads, worker in workers.items():
                    here, there = float("inf"), float("inf")
                    try:
                        for _ in range(options.rounds):
                            here = min(here, ours(options, words, threads, cpus))
                            there = min(there, worker.microseconds(p.name, size, theirs, options.seconds))
                    except (RuntimeError, subprocess.TimeoutExpired) as e:
                        wrong.append(f"{p.name} {size} {function}: {e}")
                        break
                    row = {"name": p.name, "size": size, "function": function, "threads": threads}
                    row |= {"ours": here, "jax": there, "ratio": there / here, "held_out": p.held_out}
                    rows.append(row)
                    if save:
                        save.write(json.dumps(row) + "\n")
                        save.flush()
    rows.sort(key=lambda r: r["ratio"])
    print("| program | size | what | threads | ours, us | JAX, us | ratio |\n|---|---|---|--:|--:|--:|--:|")
    for r in rows:
        held = " (held out)" if r["held_out"] else ""
        print(
            f"| {r['name']}{held} | {r['size']} | {r['function']} | {r['threads']} "
            f"| {r['ours']:.1f} | {r['jax']:.1f} | {r['ratio']:.2f} |"
        )
    for line in wrong:
        print("wrong:", line)
    summary("open", [r for r in rows if not r["held_out"]])
    summary("held out", [r for r in rows if r["held_out"]])
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
