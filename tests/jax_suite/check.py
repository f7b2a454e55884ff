"""Runs captured programs (capture.py) through `wengert` and compares with XLA's results.

    check.py --programs DIR --wengert PATH [--backend cpu|interpreter|eager] [--jobs 1] [--seconds 20]
             [--only HASH,..] [--match WORDS] [--json FILE] [--verbose]

Prints a table: how many programs are right, and the others by cause. The exit status is 0 if all are right.

What counts as equal, per element type of a result:

- integers and booleans: every bit;
- floats: NaN where XLA has NaN, the same infinity where XLA has one, and otherwise
  `|ours - XLA's| <= rtol * |XLA's| + rtol * scale`, where `scale` is the largest finite magnitude in that result. Both
  round sums and products in an order of their own and contract products into sums where they like, so an element that
  nearly cancels is only as good as the elements it was made of; the largest of the result stands for these. The
  values of `rtol` are in `TOLERANCE`, each with its reason.

What is outside this is looked at again, with the help of XLA itself (jaxlib must be there):

- *right up to what is unspecified*: eigenvectors and singular vectors have any sign, or any phase, eigenvalues of
  general matrices come in any order, and `ApproxTopK` gives any of equal elements. Lengths are compared, or sets.
- *right by the wider program*: XLA and we run the program with every f32 made f64. Where these two agree to 1e-8 both
  mean the same by the program; and where our f32 results are as near to them as XLA's are, up to a factor of 8, the
  difference is rounding.
- *right as far as XLA is steady*: XLA's own results move as far, up to a factor of 8, when each of the arguments moves
  to a neighbouring floating-point number, or when it compiles without optimization (an iteration that ends by a
  tolerance, a basis of an eigenspace).
"""

import argparse
import collections
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import ml_dtypes
import numpy as np

# Relative tolerance by element type: units of roundoff (2^-53, 2^-24, 2^-11, 2^-8) times what separates two correct
# implementations. XLA's CPU functions of f32 (exp, log, tanh, pow, erf, lgamma, ...) are good for some ten units, longer
# chains and sums of hundreds of terms for a hundred: 2e-5 is 340 units. In f64 XLA's own are as good as 2e-12 (lgamma,
# digamma, igamma are series with constants of about 1e-14). 16-bit types: XLA computes chains in f32 and rounds where
# it likes, we round after every operation as the specification says, so a chain differs by several units: 16 and 8.
TOLERANCE = {"float64": 1e-11, "float32": 2e-5, "float16": 16 * 2**-11, "bfloat16": 8 * 2**-8}
# 8-bit and narrower: one step of the type either way (their units of roundoff are 2^-4 and 2^-3).
NARROW = {"float8_e4m3fn": 2**-3, "float8_e4m3": 2**-3, "float8_e4m3b11fnuz": 2**-3, "float8_e4m3fnuz": 2**-3}
NARROW |= {"float8_e5m2": 2**-2, "float8_e5m2fnuz": 2**-2, "float8_e3m4": 2**-4, "float4_e2m1fn": 2**-1}
TOLERANCE |= NARROW | {"float8_e8m0fnu": 0.0, "complex64": TOLERANCE["float32"], "complex128": TOLERANCE["float64"]}


class Loop:
    """One process of `wengert loop` that answers command lines."""

    def __init__(self, command):
        self.command, self.process = command, None
        self.said = tempfile.TemporaryFile()

    def run(self, words, seconds):
        """The exit status, what was said on standard error, and a verdict if there was no answer."""
        if self.process is None:
            self.process = subprocess.Popen(
                [self.command, "loop"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said
            )
        self.said.seek(0)
        self.said.truncate()
        self.process.stdin.write((" ".join(words) + "\n").encode())
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        verdict, status = None, None
        if not ready:
            self.end()
            verdict = "timed out"
        else:
            line = self.process.stdout.readline()
            if line.strip().isdigit():
                status = int(line)
            else:
                code = self.process.wait()
                self.process = None
                verdict = f"crashed ({signal.Signals(-code).name if code < 0 else code})"
        self.said.seek(0)
        return status, self.said.read().decode(errors="replace").strip(), verdict

    def end(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def load(path, dtype):
    """An array, of a type that NumPy may lack."""
    array = np.load(path)
    wanted = np.dtype(getattr(ml_dtypes, dtype, dtype))
    return array.view(wanted) if array.dtype.kind == "V" or array.dtype != wanted else array


def parts(array):
    """As f64 or pairs of them."""
    if array.dtype.kind == "c":
        return [array.real.astype(np.float64), array.imag.astype(np.float64)]
    return [array.astype(np.float64)]


def exact(dtype):
    return dtype == "bool" or "int" in dtype


def magnitude(array):
    """Of each element; infinite where any part is."""
    total = sum(np.abs(p) for p in parts(array))
    return np.where(np.isfinite(total), total, 0.0)


def compare(ours, theirs, dtype, rtol=None):
    """None, or what differs."""
    if ours.shape != theirs.shape:
        return f"shape {ours.shape} for {theirs.shape}"
    if ours.size == 0:
        return None
    if exact(dtype):
        bad = ours != theirs
    else:
        rtol = rtol or TOLERANCE[dtype]
        size = magnitude(theirs)
        bound = rtol * (size + size.max())
        bad = np.zeros(ours.shape, bool)
        for a, b in zip(parts(ours), parts(theirs)):
            bad |= ~((np.isnan(a) & np.isnan(b)) | (a == b) | (np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= bound)))
    if not bad.any():
        return None
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{int(bad.sum())} of {bad.size} differ, first at {at}: {ours[at]!r} for {theirs[at]!r}"


WIDER = {"float32": "float64", "complex64": "complex128"}
DENSE = re.compile(r"dense<([^<>]*)>( : tensor<(?:\d+x)*(?:complex<)?f32)")


def widen_constant(found):
    """A constant of f32 with what it has in hexadecimal made f64."""
    if re.fullmatch(r'"0x[0-9A-Fa-f]*"', found[1]):
        data = np.frombuffer(bytes.fromhex(found[1][3:-1]), "<f4").astype("<f8").tobytes()
        return f'dense<"0x{data.hex().upper()}">{found[2]}'
    number = lambda m: f"0x{int(np.array(int(m[0], 16), np.uint32).view(np.float32).astype(np.float64).view(np.uint64)):016X}"
    return f"dense<{re.sub(r'0x[0-9A-Fa-f]{8}', number, found[1])}>{found[2]}"


def widen(text):
    """The program with every f32 made f64; None where its meaning depends on the width."""
    if "bitcast_convert" in text or "reduce_precision" in text or not re.search(r"f32\b", text):
        return None
    text = DENSE.sub(widen_constant, text)
    text = re.sub(r"@lapack_([sc])(?=[a-z])", lambda m: "@lapack_" + {"s": "d", "c": "z"}[m[1]], text)
    return re.sub(r"(?<=[x<])f32\b|(?<=: )f32\b", "f64", text)


def run_xla(text, inputs, optimize=True):
    """XLA's results of a program."""
    import jax
    from jax._src.interpreters import mlir as jax_mlir
    from jax.extend.backend import get_backend
    from jaxlib import lapack, xla_client
    from jaxlib.mlir import ir

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    lapack._lapack.initialize()  # LAPACK's functions are looked up by this; without it they are null pointers
    backend = get_backend()
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    with jax_mlir.make_ir_context():
        code = jax_mlir.module_to_bytecode(ir.Module.parse(text))
    compile_options = xla_client.CompileOptions()
    if not optimize:
        debug_options = compile_options.executable_build_options.debug_options
        debug_options.xla_backend_optimization_level = 0
        debug_options.xla_llvm_disable_expensive_passes = True
    executable = backend.compile_and_load(code, devices, compile_options)
    return [np.asarray(x) for x in executable.execute([jax.device_put(x) for x in inputs])]


def wider_judges(loop, folder, meta, ours, theirs, work, options):
    """What the program in wider types says of a difference: None if it clears it, otherwise why it does not."""
    text = widen((folder / "program.mlir").read_text())
    if text is None:
        return "cannot be widened"
    inputs = [load(folder / f"in{i}.npy", d).astype(WIDER.get(d, d)) for i, d in enumerate(meta["in"])]
    (work / "wide.mlir").write_text(text)
    for i, array in enumerate(inputs):
        np.save(work / f"in{i}.npy", array)
    words = ["run", str(work / "wide.mlir"), "--backend", options.backend, "--outputs", str(work / "wide")]
    if inputs:
        words += ["--inputs", *[str(work / f"in{i}.npy") for i in range(len(inputs))]]
    status, said, verdict = loop.run(words, options.seconds)
    if status != 0:
        return f"wider program: {verdict or said[:200]}"
    try:
        truths = run_xla(text, inputs)
    except Exception as error:
        return f"wider program in XLA: {str(error)[:200]}"
    for i, dtype in enumerate(meta["out"]):
        ours_wide = load(work / "wide" / f"out{i}.npy", WIDER.get(dtype, dtype))
        found = compare(ours_wide, truths[i], WIDER.get(dtype, dtype), 1e-8)
        if found is not None and not noise(ours_wide, truths[i], dtype, inputs + truths):
            return f"wider program differs from XLA's, result {i}: {found}"
        if compare(ours[i], theirs[i], dtype) is None:
            continue
        if exact(dtype):
            if (ours[i] != truths[i]).sum() > 8 * max((theirs[i] != truths[i]).sum(), 1):
                return f"result {i} differs from the wider program's more often than XLA's"
            continue
        truth = truths[i]
        unit = TOLERANCE[dtype] * (magnitude(truth) + magnitude(truth).max())
        error, error_theirs = (magnitude(x.astype(truth.dtype) - truth) for x in (ours[i], theirs[i]))
        kinds = [np.isnan(x) != np.isnan(truth) for x in (ours[i], theirs[i])]
        if (kinds[0] & ~kinds[1]).any() or error.max() > 8 * max(error_theirs.max(), unit.max()):
            return f"result {i} is off by {error.max():.3g} from the wider program's, XLA's by {error_theirs.max():.3g}"
    return None


VECTORS = re.compile(r"@lapack_[sdcz](syevd|heevd|geev|gesdd|gesvd)|@Eigh|@Qdwh", re.IGNORECASE)


def noise(ours, theirs, dtype, others):
    """Whether both are nothing but what rounding left of zero, measured by all the numbers of the program."""
    if exact(dtype):
        return False
    scale = max((magnitude(x).max() for x in others if x.size and x.dtype.kind in "fc"), default=0.0)
    return max(magnitude(ours).max(), magnitude(theirs).max()) <= 1e-12 * scale


def neighbour(array, dtype, seed):
    """Each number's neighbour above or below."""
    if exact(dtype):
        return array
    up = np.random.default_rng(seed).integers(0, 2, array.shape).astype(bool)
    move = lambda x: np.where(up, np.nextafter(x, x.dtype.type(np.inf)), np.nextafter(x, x.dtype.type(-np.inf)))
    if array.dtype.kind == "c":
        return (move(array.real) + 1j * move(array.imag)).astype(array.dtype)
    return move(array).astype(array.dtype)


def steadiness_judges(folder, meta, ours, theirs):
    """What XLA's results of neighbouring arguments say of a difference: None if they clear it."""
    inputs = [load(folder / f"in{i}.npy", d) for i, d in enumerate(meta["in"])]
    text = (folder / "program.mlir").read_text()
    try:
        moved = [run_xla(text, inputs, optimize=False)]
        moved += [run_xla(text, [neighbour(x, d, s) for x, d in zip(inputs, meta["in"])]) for s in range(6)]
    except Exception as error:
        return f"XLA: {str(error)[:200]}"
    for i, dtype in enumerate(meta["out"]):
        if compare(ours[i], theirs[i], dtype) is None:
            continue
        if exact(dtype):
            off, steps = (ours[i] != theirs[i]).sum(), [(m[i] != theirs[i]).sum() for m in moved]
        else:
            wide = np.complex128 if theirs[i].dtype.kind == "c" else np.float64
            kept = np.abs if VECTORS.search(text) else (lambda x: x)
            far = lambda x: magnitude(kept(x.astype(wide)) - kept(theirs[i].astype(wide))).max()
            if (np.isfinite(ours[i]) != np.isfinite(theirs[i])).any():
                return f"result {i} is not finite where XLA's is, or the other way round"
            off, steps = far(ours[i]), [far(m[i]) for m in moved]
        if off > 8 * max(steps):
            return f"result {i} is off by {off:.3g}, XLA moves by {max(steps):.3g}"
    return None


def same_sets(ours, theirs, dtype):
    """Whether rows hold the same numbers in any order, or numbers of the same lengths."""
    if ours.ndim == 0 or exact(dtype):
        return compare(ours, theirs, dtype) is None
    bound = TOLERANCE[dtype] * 16 * magnitude(theirs).max(initial=0.0)
    for x, y in [(ours, theirs), (np.abs(ours), np.abs(theirs))]:
        far = np.abs(x[..., :, None] - y[..., None, :])
        if (far.min(-1, initial=np.inf) <= bound).all() and (far.min(-2, initial=np.inf) <= bound).all():
            return True
    return False


def unspecified(text, meta, ours, theirs):
    """Whether ours differ from XLA's only in what nobody specifies."""
    if "@ApproxTopK" in text:
        # Where values agree, indices may name another of equal elements; that they do is checked by the values.
        return all(exact(d) or compare(a, b, d) is None for a, b, d in zip(ours, theirs, meta["out"]))
    if VECTORS.search(text):
        length = lambda x, d: x if exact(d) else np.abs(x)
        real = {"complex64": "float32", "complex128": "float64"}
        rows = list(zip(ours, theirs, meta["out"]))
        if all(compare(length(a, d), length(b, d), real.get(d, d)) is None for a, b, d in rows):
            return True
        return "geev" in text and all(same_sets(*row) for row in rows)
    return False


def kind_of(message):
    """A refusal's first line without what is particular to one program."""
    line = message.splitlines()[0] if message else "(said nothing)"
    line = re.sub(r"^wengert: (\S+\.mlir:)?(\d+:\d+: )?", "", line)
    line = re.sub(r"/\S+", "FILE", line)
    return re.sub(r"\d+", "#", line)[:140]


def check(loop, folder, options, work):
    """What came of one program: a verdict, a cause and details."""
    meta = json.loads((folder / "meta.json").read_text())
    words = ["run", str(folder / "program.mlir"), "--backend", options.backend, "--outputs", str(work / "out")]
    if meta["in"]:
        words += ["--inputs", *[str(folder / f"in{i}.npy") for i in range(len(meta["in"]))]]
    status, said, verdict = loop.run(words, options.seconds)
    if verdict is None and "panicked at" in said:
        verdict = "crashed (panic)"
    if verdict is not None:
        return verdict, kind_of(said), said
    if status != 0:
        return "refused", kind_of(said), said
    ours, theirs = [], []
    for i, dtype in enumerate(meta["out"]):
        ours.append(load(work / "out" / f"out{i}.npy", dtype))
        theirs.append(load(folder / f"out{i}.npy", dtype))
    with np.errstate(all="ignore"):
        found = [(i, compare(a, b, d)) for i, (a, b, d) in enumerate(zip(ours, theirs, meta["out"]))]
        found = [(i, d) for i, d in found if d is not None]
        if not found:
            return "right", "", ""
        detail = "; ".join(f"result {i} ({meta['out'][i]}): {d}" for i, d in found)
        text = (folder / "program.mlir").read_text()
        if unspecified(text, meta, ours, theirs):
            return "right up to what is unspecified", "", detail
        why = wider_judges(loop, folder, meta, ours, theirs, work, options)
        if why is None:
            return "right by the wider program", "", detail
        steady = steadiness_judges(folder, meta, ours, theirs)
        if steady is None:
            return "right as far as XLA is steady", "", detail
        why += "; " + steady
    return "wrong", meta["out"][found[0][0]], f"{detail} ({why})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--wengert", required=True)
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--only", help="names of programs, separated by commas, or @FILE with one a line")
    parser.add_argument("--match", help="only programs whose text contains this")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true", help="a line for each program that is not right, at once")
    options = parser.parse_args()
    folders = sorted(p for p in options.programs.iterdir() if not p.name.startswith("."))
    if options.only:
        names = options.only.split(",")
        if options.only.startswith("@"):
            names = pathlib.Path(options.only[1:]).read_text().split()
        folders = [f for f in folders if f.name in set(names)]
    if options.match:
        folders = [f for f in folders if options.match in (f / "program.mlir").read_text()]
    work = pathlib.Path(tempfile.mkdtemp(prefix="jax_suite", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
    loop, table, slow = Loop(options.wengert), [], []
    try:
        for folder in folders:
            start = time.monotonic()
            verdict, cause, detail = check(loop, folder, options, work)
            seconds = time.monotonic() - start
            test = json.loads((folder / "meta.json").read_text())["test"]
            table.append((folder.name, test, verdict, cause, detail, seconds))
            if options.verbose and verdict != "right":
                print(f"{folder.name} {test} {verdict} {cause}\n    {detail[:400]}", flush=True)
    finally:
        loop.end()
        shutil.rmtree(work, ignore_errors=True)
    if options.json:
        options.json.write_text("\n".join(json.dumps(row) for row in table))
    total = max(len(table), 1)
    counts = collections.Counter(row[2] for row in table)
    print(f"{len(table)} programs")
    for verdict, count in counts.most_common():
        print(f"{count:6} {100 * count / total:6.2f} %  {verdict}")
    causes = collections.Counter((row[2], row[3]) for row in table if not row[2].startswith("right"))
    for (verdict, cause), count in causes.most_common():
        example = next(row for row in table if row[2:4] == (verdict, cause))
        print(f"{count:6}  {verdict}: {cause}   ({example[0]} {example[1]})")
    return 0 if all(row[2].startswith("right") for row in table) else 1


if __name__ == "__main__":
    sys.exit(main())
