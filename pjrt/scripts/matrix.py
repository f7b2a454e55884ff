"""Runs the plugin's tests on versions of JAX, each in an environment of its own: ``python pjrt/scripts/matrix.py --wheel FILE``.

An environment has what an installer takes for ``pip install jax==VERSION FILE``, for a Python that this machine has and that version
takes. A table says what passed; the exit status is 1 if something did not.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent / "tests"
SCRIPTS = ["smoke.py", "held_out.py", "targets.py"]

#: The oldest that the wheel asks for, the last of each line, and the newest there is.
VERSIONS = ["0.7.0", "0.7.2", "0.8.1", "0.9.1", "0.10.2", "newest"]

#: Python's versions that JAX knows, the newest first.
PYTHONS = ["3.14", "3.13", "3.12", "3.11", "3.10"]


def pythons():
    """The interpreters of this machine by version."""
    found = {}
    for version in PYTHONS:
        candidates = [shutil.which(f"python{version}")]
        candidates += sorted(pathlib.Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        for python in filter(None, candidates):
            run = subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True)
            if run.returncode == 0:
                found.setdefault(version, str(python))
    return found


def environment(folder, python, version, wheel):
    """Makes an environment with this version of JAX and the wheel.

    Returns
    -------
    pathlib.Path or None
        Its interpreter, or nothing if the index has no such version for this Python.
    """
    subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
    own = folder / "bin" / "python"
    jax = "jax" if version == "newest" else f"jax=={version}"
    pip = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", jax, "scipy", str(wheel)]
    return own if subprocess.run(pip, capture_output=True).returncode == 0 else None


def outcome(python, script):
    """What a script of tests says in the end, and whether it passed."""
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "WENGERT_JAX_LIBRARY")}
    run = subprocess.run(
        [python, TESTS / script],
        capture_output=True,
        text=True,
        env={**clean, "JAX_PLATFORMS": "wengert,cpu", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tempfile.gettempdir(),
    )
    said = (run.stdout + run.stderr).strip()
    if run.returncode != 0:
        print(said, file=sys.stderr)
    return ("passed" if run.returncode == 0 else "FAILED"), run.returncode == 0


def main():
    """Runs the matrix and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=pathlib.Path, required=True, help="the wheel, as pjrt/build_wheel.py writes it")
    parser.add_argument("--versions", nargs="*", default=VERSIONS, help="versions of JAX, or `newest`")
    args = parser.parse_args()
    wheel = args.wheel.resolve(strict=True)
    if not re.fullmatch(r"jax_wengert-.*\.whl", wheel.name):
        raise SystemExit(f"{wheel} is no wheel of jax-wengert")
    known, good = pythons(), True
    print("| jax | Python | " + " | ".join(SCRIPTS) + " |\n|---|---|" + "---|" * len(SCRIPTS))
    for version in args.versions:
        with tempfile.TemporaryDirectory() as folder:
            made = None
            for name, python in known.items():
                made = environment(pathlib.Path(folder) / "env", python, version, wheel)
                if made:
                    break
            if not made:
                print(f"| {version} | none of {', '.join(known)} | not installed |")
                good = False
                continue
            of = [made, "-c", "import jax; print(jax.__version__)"]
            installed = subprocess.run(of, capture_output=True, text=True, env={**os.environ, "JAX_PLATFORMS": "cpu"})
            found = [outcome(made, script) for script in SCRIPTS]
            good &= all(ok for _, ok in found)
            cells = " | ".join(text for text, _ in found)
            print(f"| {installed.stdout.strip()} | {name} | {cells} |", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
