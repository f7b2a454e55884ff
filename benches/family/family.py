"""Driver of the family of programs: `list`, `check`, `export OUT [--only names]`, `time [--out FILE]`."""
import argparse
import contextlib
import glob
import hashlib
import importlib
import json
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# Which set of programs: a folder beside this file.
SET = os.path.join(HERE, os.environ.get("FAMILY", "fields"))
sys.path[:0] = [HERE, SET]
LIMIT = 300_000  # bytes of lowered text


def load():
    from registry import PROGRAMS

    for f in sorted(glob.glob(os.path.join(SET, "*.py"))):
        importlib.import_module(os.path.basename(f)[:-3])
    out = []
    for i, name in enumerate(sorted(PROGRAMS)):
        p = PROGRAMS[name]
        p.held_out = i % 3 == 2
        p.field = name.split(".")[0]
        out.append(p)
    return out


def select(programs, only):
    """Names, fields, prefixes with `*`, or the words `open` and `held_out`."""
    if not only:
        return programs
    words = [w for o in only for w in o.split(",") if w]

    def hit(p, w):
        if w in ("open", "held_out"):
            return p.held_out == (w == "held_out")
        return p.name == w or p.field == w or (w.endswith("*") and p.name.startswith(w[:-1]))

    return [p for p in programs if any(hit(p, w) for w in words)]


def rng_for(name, size):
    import numpy as np

    return np.random.default_rng(int.from_bytes(hashlib.sha256(f"{name}/{size}".encode()).digest()[:8], "little"))


def make(p, size):
    """The arguments as numpy arrays (pytrees of them)."""
    return tuple(p.inputs(size, rng_for(p.name, size)))


def mode(p):
    import jax

    return jax.enable_x64(True) if p.x64 else contextlib.nullcontext()


def functions(p):
    """`f`, and `vg` where something is differentiated."""
    import jax

    fns = dict(getattr(p, "own", None) or {"f": p.fn})
    if p.diff:
        fns["vg"] = jax.value_and_grad(p.fn, argnums=p.diff)
    return {k: jax.jit(v, keep_unused=True) for k, v in fns.items()}


def flat(tree):
    import jax
    import numpy as np

    return [np.asarray(x) for x in jax.tree.leaves(tree)]


def save(path, a):
    import numpy as np

    np.save(path, a.view(np.uint16) if a.dtype.name == "bfloat16" else a)


def describe(file, a):
    return {"file": file, "dtype": a.dtype.name, "shape": list(a.shape)}


def nudge(args, rng):
    """Every floating input moved by one unit of its roundoff, up or down."""
    import jax
    import numpy as np

    def move(x):
        x = np.asarray(x)
        if x.dtype.name not in ("float32", "float64", "complex64", "complex128", "bfloat16"):
            return x
        eps = {"bfloat16": 2.0**-8, "float32": 2.0**-24, "complex64": 2.0**-24}.get(x.dtype.name, 2.0**-53)
        return (x.astype(x.dtype if x.dtype.name != "bfloat16" else np.float32)
                * (1 + 2 * eps * rng.choice([-1.0, 1.0], x.shape))).astype(x.dtype)

    return jax.tree.map(move, args)


def gap(xs, ys):
    """Largest difference of two lists of arrays, relative to each array's largest magnitude."""
    import numpy as np

    worst = 0.0
    for x, y in zip(xs, ys, strict=True):
        wide = np.complex128 if np.iscomplexobj(x) else np.float64
        x, y = x.astype(wide), y.astype(wide)
        if x.size:
            with np.errstate(invalid="ignore"):
                d = np.where(x == y, 0.0, np.abs(x - y))
            scale = np.max(np.abs(x[np.isfinite(x)]), initial=0.0)
            worst = max(worst, float(np.max(d)) / (scale or 1.0))
    return worst


def cmd_list(args):
    for p in select(load(), args.only):
        print(f"{p.name}\t{'held_out' if p.held_out else 'open'}\t{'f64' if p.x64 else 'f32'}\tdiff={list(p.diff)}")


def cmd_export(args):
    import jax

    os.makedirs(args.out, exist_ok=True)
    for p in select(load(), args.only):
        for size in args.sizes.split(","):
            d = os.path.join(args.out, p.name, size)
            os.makedirs(d, exist_ok=True)
            with mode(p):
                ins = make(p, size)
                leaves = flat(ins)
                for i, a in enumerate(leaves):
                    save(f"{d}/in{i}.npy", a)
                first = [len(flat(ins[:i])) for i in range(len(ins) + 1)]
                meta = {
                    "name": p.name, "field": p.field, "size": size, "held_out": p.held_out, "x64": p.x64,
                    "tol": getattr(p, "tol", None),
                    "doc": " ".join(p.fn.__doc__.split()), "jax": jax.__version__,
                    "diff_args": list(p.diff), "diff_inputs": [i for a in p.diff for i in range(first[a], first[a + 1])],
                    "inputs": [describe(f"in{i}.npy", a) for i, a in enumerate(leaves)], "functions": {},
                }
                for k, fn in functions(p).items():
                    low = fn.lower(*ins)
                    text = low.as_text()
                    with open(f"{d}/{k}.mlir", "w") as f:
                        f.write(text)
                    run = low.compile()
                    outs = flat(run(*ins))
                    for i, a in enumerate(outs):
                        save(f"{d}/{k}_out{i}.npy", a)
                    moved = flat(run(*nudge(ins, rng_for(p.name, size + "/nudge"))))
                    meta["functions"][k] = {
                        "mlir": f"{k}.mlir", "outputs": [describe(f"{k}_out{i}.npy", a) for i, a in enumerate(outs)],
                        "custom_calls": sorted(set(re.findall(r"custom_call @(\w+)", text))),
                        "roundoff_sensitivity": gap(outs, moved),
                    }
            with open(f"{d}/meta.json", "w") as f:
                json.dump(meta, f, indent=1)
        print(p.name, flush=True)


def examine(p, size, k, fn, ins, low, first):
    """What is wrong with one function at one size, its roundoff sensitivity, and the bytes of its text."""
    import numpy as np

    notes, text = [], low.as_text()
    if len(text) >= LIMIT:
        notes.append(f"text of {len(text)} bytes")
    unused = [i for i in range(len(flat(ins))) if not re.search(rf"%arg{i}\b(?!:)", text)]
    if unused:
        notes.append(f"unused inputs {unused}")
    if any(not np.array_equal(a, b) for a, b in zip(flat(ins), flat(make(p, size)))):
        notes.append("inputs differ between two makings")
    a, b = flat(fn(*ins)), flat(fn(*ins))
    if any(x.tobytes() != y.tobytes() for x, y in zip(a, b)):
        notes.append(f"two runs differ by {gap(a, b):.1e}")
    for i, x in enumerate(a):
        if x.dtype.kind in "fcV" and not np.all(np.isfinite(x.astype(complex))):
            notes.append(f"output {i} not finite")
    if k == "f":
        first[:] = a
        if p.diff and (len(a) != 1 or a[0].shape):
            notes.append("not a scalar")
    else:
        if first and gap(first, a[:1]) > 1e-4:
            notes.append(f"f and vg disagree by {gap(first, a[:1]):.1e}")
        zeros = [i for i, x in enumerate(a[1:]) if not np.any(x)]
        if zeros:
            notes.append(f"gradients {zeros} all zero")
    if k == "vg" and p.x64 != any(x.dtype in (np.float64, np.complex128) for x in a):
        notes.append("dtype is not as registered")
    return notes, gap(a, flat(fn(*nudge(ins, rng_for(p.name, size + "/nudge"))))), len(text)


def cmd_check(args):
    import jax

    bad = 0
    for p in select(load(), args.only):
        notes, took, sens, longest = [], [], 0.0, 0
        for size in args.sizes.split(","):
            with mode(p):
                ins, first = make(p, size), []
                for k, fn in functions(p).items():
                    found, s, n = examine(p, size, k, fn, ins, fn.lower(*ins), first)
                    notes += [f"{size}/{k}: {x}" for x in found]
                    sens, longest = max(sens, s), max(longest, n)
                    if k == "f":
                        dev = jax.tree.map(jax.numpy.asarray, ins)
                        t0, n = time.process_time(), 0
                        while n < 3 or time.process_time() - t0 < 0.01:
                            jax.block_until_ready(fn(*dev))
                            n += 1
                        took.append(f"{(time.process_time() - t0) / n * 1e6:.0f}")
        bad += bool(notes)
        print(f"{p.name}\t{longest}\t{sens:.1e}\t{' '.join(took)} us\t{'; '.join(notes) or 'ok'}", flush=True)
    sys.exit(1 if bad else 0)


def cmd_time(args):
    if args.worker is None:
        cpus = sorted(os.sched_getaffinity(0))
        with open(args.out, "w") if args.out else contextlib.nullcontext(sys.stdout) as out:
            out.write("program\tsize\tfunction\tthreads\tmedian_us\tmin_us\tcpu_us\tcompile_ms\n")
            for n in map(int, args.threads.split(",")):
                flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_cpu_multi_thread_eigen={'true' if n > 1 else 'false'}"
                env = dict(os.environ, XLA_FLAGS=flags.strip(), PJRT_NPROC=str(n), NPROC=str(n),
                           OMP_NUM_THREADS=str(n), OPENBLAS_NUM_THREADS=str(n))
                cmd = [sys.executable, os.path.abspath(__file__), "time", "--worker", str(n), "--sizes", args.sizes,
                       "--functions", args.functions, "--budget", str(args.budget)]
                cmd += ["--only", *args.only] if args.only else []
                cmd += ["--check"] if args.check else []
                pin = (lambda n=n: os.sched_setaffinity(0, cpus[:n])) if args.pin else None
                child = subprocess.Popen(cmd, env=env, stdout=subprocess.PIPE, text=True, preexec_fn=pin)
                for line in child.stdout:
                    out.write(line)
                    out.flush()
                if child.wait():
                    sys.exit(child.returncode)
        return
    import jax

    for p in select(load(), args.only):
        for size in args.sizes.split(","):
            with mode(p):
                host, first = make(p, size), []
                ins = jax.tree.map(jax.numpy.asarray, host)
                for k, fn in functions(p).items():
                    if k not in args.functions.split(","):
                        continue
                    low = fn.lower(*ins)
                    t0 = time.perf_counter()
                    low.compile()
                    compile_ms = (time.perf_counter() - t0) * 1e3
                    # `fn` finds the executable just compiled; its dispatch is the fast one of jit.
                    jax.block_until_ready(fn(*ins))
                    times, start, cpu = [], time.perf_counter(), time.process_time()
                    while len(times) < 3 or (time.perf_counter() - start < args.budget and len(times) < 1000):
                        t0 = time.perf_counter()
                        jax.block_until_ready(fn(*ins))
                        times.append(time.perf_counter() - t0)
                    cpu = (time.process_time() - cpu) / len(times) * 1e6
                    med, low_us = statistics.median(times) * 1e6, min(times) * 1e6
                    cells = [med, low_us, cpu, compile_ms]
                    if args.check:
                        notes, s, n = examine(p, size, k, fn, host, low, first)
                        line = f"{p.name}/{size}/{k}\t{n}\t{s:.1e}\t{cpu:.0f} us\t{'; '.join(notes) or 'ok'}"
                        print(line, file=sys.stderr, flush=True)
                    print(p.name, size, k, args.worker, *(f"{c:.1f}" for c in cells), sep="\t", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    sub = ap.add_subparsers(dest="command", required=True)
    for name, fn in [("list", cmd_list), ("check", cmd_check), ("export", cmd_export), ("time", cmd_time)]:
        s = sub.add_parser(name)
        s.set_defaults(run=fn)
        if name == "export":
            s.add_argument("out")
        s.add_argument("--only", nargs="+", help="names, fields, prefix*, open, held_out")
        s.add_argument("--sizes", default="small,medium,large")
        if name == "time":
            s.add_argument("--threads", default="1,2")
            s.add_argument("--functions", default="f,vg")
            s.add_argument("--budget", type=float, default=0.1, help="seconds of repeats for each figure")
            s.add_argument("--out")
            s.add_argument("--pin", action="store_true", help="give the child only as many cores as threads")
            s.add_argument("--check", action="store_true", help="also do what check does; findings to stderr")
            s.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    args = ap.parse_args()
    args.run(args)


if __name__ == "__main__":
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    main()
