"""Portable artifacts of jaxlib are read here, and ours by jaxlib.

Serializes every program of the corpus, every snapshot of a printed module and every program of JAX's own tests with jaxlib at
several versions and compares what our reader makes of the bytes with what our parser makes of the text that jaxlib reads
from them; then the other way: what our writer makes is deserialized by jaxlib, and its text must be the same program. Skips
when jax is not installed. The argument is the program that reads and writes: `python tests/jaxlib_bytecode.py
target/debug/bytecode`, after `cargo build -p wengert-tests`.
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def sources(folder):
    """Programs as text files."""
    found = sorted((ROOT / "tests" / "corpus").glob("*/program*.mlir"))
    found += sorted((ROOT / "tests" / "jax_suite" / "sample").glob("**/*.mlir"))
    for path in sorted((ROOT / "ir" / "tests" / "snapshots").glob("text_forms__*.snap")):
        source = folder / (path.stem + ".mlir")
        source.write_text(path.read_text().split("\n---\n", 1)[1])
        found.append(source)
    return found


def main():
    try:
        from jax._src.interpreters import mlir as jax_mlir
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import stablehlo
    except ImportError:
        print("skipped: jax is not installed")
        return 0
    command = pathlib.Path(sys.argv[1]).resolve()
    newest = stablehlo.get_current_version()
    failed = False

    def text_of(data):
        module = stablehlo.deserialize_portable_artifact(context, data)
        return module.operation.get_asm(enable_debug_info=True)

    with tempfile.TemporaryDirectory() as folder, jax_mlir.make_ir_context() as context:
        folder = pathlib.Path(folder)
        (folder / "text").mkdir()
        programs = sources(folder / "text")
        # Theirs.
        theirs = folder / "theirs"
        theirs.mkdir()
        not_theirs = 0
        for k, path in enumerate(programs):
            try:
                module = ir.Module.parse(path.read_text())
            except Exception:  # dialects that this jaxlib does not know
                not_theirs += 1
                continue
            for version in ["1.0.0", "1.9.0", newest]:
                try:
                    data = stablehlo.serialize_portable_artifact(module, version, True)
                except Exception:  # CHLO, and what a version does not have
                    not_theirs += 1
                    continue
                (theirs / f"{k}.{version}.mlirbc").write_bytes(data)
                (theirs / f"{k}.{version}.mlir").write_text(text_of(data))
        print(f"theirs ({not_theirs} not serialized by jaxlib):", flush=True)
        failed |= subprocess.run([command, "read", theirs], cwd=ROOT).returncode != 0
        # Ours.
        for version in ["1.0.0", "1.9.0", newest]:
            ours = folder / ("ours" + version)
            print(f"ours at {version}:", flush=True)
            failed |= subprocess.run([command, "write", ours, version, *programs], cwd=ROOT).returncode != 0
            for path in sorted(ours.glob("*.mlirbc")):
                try:
                    path.with_suffix(".mlir").write_text(text_of(path.read_bytes()))
                except Exception as error:  # the bindings raise their own kinds
                    print(f"{programs[int(path.stem)]}: {error}", flush=True)
                    path.unlink()
                    failed = True
            failed |= subprocess.run([command, "read", ours], cwd=ROOT).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
