"""Upstream's parser and verifier accept what we print.

Prints every program of the corpus and every snapshot of a printed module, and reads the text with the
StableHLO of jaxlib. Skips when jax is not installed. The argument is our printer: `python tests/jaxlib_parse.py
target/debug/reprint`, after `cargo build -p wengert-tests`.
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    try:
        from jax._src.interpreters import mlir as jax_mlir
        from jaxlib.mlir import ir
    except ImportError:
        print("skipped: jax is not installed")
        return 0
    sources = sorted((ROOT / "tests" / "corpus").glob("*/program*.mlir"))
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        snapshots = []
        for path in sorted((ROOT / "ir" / "tests" / "snapshots").glob("text_forms__*.snap")):
            body = path.read_text().split("\n---\n", 1)[1]
            snapshots.append((path.name, body))
            source = folder / (path.stem + ".mlir")
            source.write_text(body)
            sources.append(source)
        command = [pathlib.Path(sys.argv[1]).resolve(), folder / "out"]
        run = subprocess.run(command + sources, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        if run.returncode != 0:
            print(run.stderr)
            return 1
        texts = list(snapshots)
        for k, source in enumerate(sources):
            printed = folder / "out" / f"{k}.mlir"
            if printed.exists():
                texts.append((f"{source.parent.name}/{source.name}", printed.read_text()))
        context = jax_mlir.make_ir_context()
        with context:
            for name, text in texts:
                try:
                    module = ir.Module.parse(text)
                    module.operation.verify()
                except Exception as error:  # the bindings raise their own kinds
                    failures.append(f"{name}: {error}")
    for failure in failures:
        print(failure)
    print(f"{len(texts) - len(failures)} of {len(texts)} texts accepted")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
