"""Captures the programs that JAX's own tests compile, with their arguments and XLA's results.

    capture.py --tests JAX/tests --out DIR [--take 40] [--skip 0] [--files lax_test,nn_test] [--x64 0|1]

`JAX/tests` is the folder of that name in JAX's sources, at the commit of the installed version. Each test file runs in
a process of its own under pytest. A sample of its tests is taken that depends on their names alone: they are put in
order of a hash of the name, and `--skip` and `--take` cut a piece out of that order, so a second call with
`--skip 40` goes on where the first one ended.

Where JAX hands a lowered module to the compiler, the module's text is noted; where the executable is called for the
first time, its arguments are copied and it is executed on the copies. What is kept, once per program text (the
module's name does not count), is a folder

    DIR/HASH/program.mlir   StableHLO as JAX lowered it
    DIR/HASH/in0.npy ..     the arguments, those that the program does not use left out
    DIR/HASH/out0.npy ..    XLA's results; element types that NumPy lacks are raw bytes
    DIR/HASH/meta.json      the test, the element types, whether 64-bit types were on

Left out: programs for several devices, those that call back into Python or take tokens, and those whose arguments,
results or text are larger than `--bytes`. How many, and why, is said at the end of each file.

Needs jax, pytest<9, absl-py, hypothesis, scipy, mpmath, pillow, matplotlib (each test file names what it needs).
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

# Tests of Python machinery, of other devices, of several processes or of services; they compile nothing of their own.
NO_PROGRAMS = re.compile(
    r"^(absl_|cache_key|clear_backends|colocated|compilation_cache|cudnn|debugger|debug_info|deprecation|distributed|"
    r"documentation|export_back|export_serial|export_harnesses|fused_attention|garbage|gpu_|hardware|heap|hypothesis|"
    r"jax_jit|jaxpr_util|lazy|local_wheel|logging|lru|magma|memories|mesh_utils|metadata|mock_gpu|monitoring|mosaic|"
    r"multibackend|multiprocess|name_stack|package|pgle|profiler|pytorch|ragged|scaled_|source|stack_|string|traceback|"
    r"transfer|typing|util_|version|warnings|xla_bridge|ffi_test|roofline|array_interop|python_callback|"
    r"debugging_primitives|custom_partitioning|layout|buffer_callback|async_|lax_numpy_hijax|hijax)"
)


class Recorder:
    """Notes each program where it is compiled and keeps it where it is first called."""

    def __init__(self, out, limit, x64):
        self.out, self.limit, self.x64 = out, limit, x64
        self.test, self.left_out, self.kept = "?", {}, 0
        self.compiled = {}  # id of an executable: (executable, text, hash)

    def drop(self, cause):
        self.left_out[cause] = self.left_out.get(cause, 0) + 1

    def install(self):
        import weakref

        from jax._src import compiler
        from jax._src.interpreters import pxla

        compile_module = compiler.compile_or_get_cached
        make, call = pxla.ExecuteReplicated.__init__, pxla.ExecuteReplicated.__call__
        noted = weakref.WeakKeyDictionary()

        def compile_and_note(backend, computation, devices, *args, **kwargs):
            text = computation.operation.get_asm(enable_debug_info=False)
            executable = compile_module(backend, computation, devices, *args, **kwargs)
            name = re.sub(r"module @\S+", "module", text, count=1)
            digest = hashlib.sha256(name.encode()).hexdigest()[:16]
            if devices.size != 1:
                self.drop("several devices")
            elif (self.out / digest).exists():
                self.drop("seen before")
            elif len(text) > self.limit:
                self.drop("long text")
            else:
                self.compiled[id(executable)] = (executable, text, digest)
            return executable

        def make_noted(replicated, executable, *args, **kwargs):
            make(replicated, executable, *args, **kwargs)
            found = self.compiled.pop(id(executable), None)
            if found is not None:
                noted[replicated] = found[1:]

        def call_and_keep(replicated, *args):
            found = noted.pop(replicated, None)
            if found is not None:
                try:
                    self.keep(replicated, args, *found)
                except Exception as error:  # a test goes on whatever happens here
                    self.drop(f"error: {type(error).__name__}: {str(error).splitlines()[:1]}")
            return call(replicated, *args)

        compiler.compile_or_get_cached = compile_and_note
        pxla.ExecuteReplicated.__init__ = make_noted
        pxla.ExecuteReplicated.__call__ = call_and_keep

    def keep(self, replicated, args, text, digest):
        import jax
        import numpy as np

        if replicated.ordered_effects or replicated.has_unordered_effects or replicated.has_host_callbacks:
            return self.drop("effects")
        args = [x for i, x in enumerate(args) if i in replicated.kept_var_idx]
        if replicated.mut:
            args = [*args, *replicated.mut.in_mut]
        inputs = [np.array(x) for x in replicated.in_handler(args)]
        if sum(x.nbytes for x in inputs) > self.limit:
            return self.drop("large arguments")
        device = jax.devices()[0]
        copies = [jax.device_put(x, device) for x in inputs]
        results = [np.asarray(x) for x in replicated.xla_executable.execute(copies)]
        if sum(x.nbytes for x in results) > self.limit:
            return self.drop("large results")
        folder = self.out / digest
        part = self.out / f".{digest}.{os.getpid()}"
        part.mkdir()
        (part / "program.mlir").write_text(text)
        for name, arrays in [("in", inputs), ("out", results)]:
            for i, x in enumerate(arrays):
                np.save(part / f"{name}{i}.npy", x)
        meta = {"test": self.test, "x64": self.x64, "in": [str(x.dtype) for x in inputs]}
        meta |= {"out": [str(x.dtype) for x in results]}
        (part / "meta.json").write_text(json.dumps(meta))
        part.rename(folder)
        self.kept += 1


class Sample:
    """The pytest plugin: takes a piece of the tests in order of a hash, and bounds the time of each."""

    def __init__(self, recorder, skip, take, seconds):
        self.recorder, self.skip, self.take, self.seconds = recorder, skip, take, seconds

    def pytest_collection_modifyitems(self, items):
        items.sort(key=lambda i: hashlib.sha256(i.name.encode()).digest())
        items[:] = items[self.skip : self.skip + self.take]

    def pytest_runtest_setup(self, item):
        self.recorder.test = f"{item.path.name}::{item.name}"
        signal.signal(signal.SIGALRM, self.stop)
        signal.alarm(self.seconds)

    def pytest_runtest_teardown(self):
        signal.alarm(0)

    @staticmethod
    def stop(*_):
        raise TimeoutError("this test took too long")


def run_file(options):
    """In a process of its own: runs one file's tests."""
    import pytest

    recorder = Recorder(options.out, options.bytes, bool(options.x64))
    recorder.install()
    sample = Sample(recorder, options.skip, options.take, options.seconds_per_test)
    words = [str(options.run_file), "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--import-mode=importlib"]
    words += ["-W", "ignore", "--no-header", "--tb=no", "-r", "", "--no-summary"]
    pytest.main(words, plugins=[sample])
    print(f"CAPTURED {recorder.kept} left out: {json.dumps(recorder.left_out)}", flush=True)
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=pathlib.Path, help="the folder `tests` of JAX's sources")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--files", help="names of test files, separated by commas; all if not given")
    parser.add_argument("--skip", type=int, default=0, help="tests of each file to pass over")
    parser.add_argument("--take", type=int, default=40, help="tests of each file to run")
    parser.add_argument("--cases", type=int, default=4, help="cases that JAX generates for each parameterized test")
    parser.add_argument("--x64", type=int, default=0)
    parser.add_argument("--bytes", type=int, default=1 << 20)
    parser.add_argument("--seconds-per-test", type=int, default=30)
    parser.add_argument("--seconds-per-file", type=int, default=300)
    parser.add_argument("--run-file", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.out = options.out.absolute()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.run_file:
        return run_file(options)
    names = options.files.split(",") if options.files else None
    files = [f for f in sorted(options.tests.glob("*_test.py"))]
    files = [f for f in files if (f.stem in names if names else not NO_PROGRAMS.match(f.stem))]
    environment = os.environ | {
        "JAX_PLATFORMS": "cpu",
        "JAX_ENABLE_X64": str(options.x64),
        "JAX_NUM_GENERATED_CASES": str(options.cases),
        "JAX_SKIP_SLOW_TESTS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(options.out / ".hypothesis"),
    }
    for file in files:
        start = time.monotonic()
        words = [sys.executable, __file__, "--run-file", str(file), "--out", str(options.out)]
        for name in ["skip", "take", "x64", "bytes", "seconds_per_test"]:
            words += ["--" + name.replace("_", "-"), str(getattr(options, name))]
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        try:
            said, _ = child.communicate(timeout=options.seconds_per_file)
        except subprocess.TimeoutExpired:
            child.kill()
            said, _ = child.communicate()
            said += "\n(stopped: the file took too long)"
        last = [line for line in said.splitlines() if line.strip()][-2:]
        print(f"{file.stem} {time.monotonic() - start:.0f} s: {' | '.join(last)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
