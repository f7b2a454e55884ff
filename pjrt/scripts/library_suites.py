"""Runs the tests of libraries that are written with JAX on Wengert and on JAX's CPU platform, and compares them test by test.

Most wheels of libraries have no tests: take them from the source at the tag of the version that is installed, each in a folder of
the library's name, with the file that configures pytest, and without the library itself, so that the installed one is tested. ::

    git archive v0.13.8 tests pyproject.toml | tar -x -C sources/equinox
    git archive v0.2.8 | tar -x -C sources/optax --wildcards '*_test.py'
    python pjrt/scripts/library_suites.py --sources sources --libraries equinox optax

needs ``pytest``, the libraries, and what their tests use (``beartype``, ``pytest-benchmark``, ``chex``, ``scikit-learn``, ``mock``,
``dm-haiku``) beside ``jax`` and ``jax-wengert``. A library's tests run in one process: a sample of them, chosen by their names, in an
order that depends on nothing but these, so that a run that ends for want of time has seen a smaller sample rather than the first
files. What a library's ``conftest.py`` says of the platform is undone. Libraries whose folder is not there are left out.
"""

import pathlib
import subprocess

from jax_suite import PLATFORMS, compare, logs, parser, report, run, share

#: Libraries, in the order of the table, and where their tests lie in their sources.
LIBRARIES = {
    "optax": "optax/**/*_test.py",
    "flax": "tests/nnx/**/*_test.py",
    "equinox": "tests/test_*.py",
    "diffrax": "test/test_*.py",
    "optimistix": "tests/test_*.py",
    "lineax": "tests/test_*.py",
    "blackjax": "tests/**/test_*.py",
    "distrax": "distrax/**/*_test.py",
    "numpyro": "test/**/test_*.py",
    "jaxopt": "tests/*_test.py",
}


def version(python, library):
    """The version of a library that a Python has, or `None`."""
    command = [python, "-c", f"import importlib.metadata as m; print(m.version({library!r}))"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() or None


def main():
    """Runs the libraries and writes the table."""
    read = parser(__doc__, timeout=180)
    read.add_argument("--sources", type=pathlib.Path, required=True, help="a folder with a folder of tests for each library")
    read.add_argument("--libraries", nargs="*", choices=LIBRARIES, default=list(LIBRARIES), help="all if not given")
    read.add_argument("--sample", type=int, default=60, help="how many tests of a library; all if 0")
    read.add_argument("--limit", type=float, default=20, help="seconds for a test; none if 0")
    read.add_argument("--without", nargs="*", default=["benchmark"], help="parts of names of files to leave out")
    options = read.parse_args()
    folder = logs(options)
    print("| library | version | passed here | failed | skipped | passed on cpu | of those here |")
    print("|---|---|---:|---:|---:|---:|---:|")
    failures, late, sums, left_out = [], [], [0] * 5, []
    for library in options.libraries:
        tests = (options.sources / library).resolve()
        paths = (path.relative_to(tests).as_posix() for path in sorted(tests.glob(LIBRARIES[library])))
        files = [path for path in paths if not any(part in path for part in options.without)]
        installed = version(options.python, library)
        if not files or not installed:
            left_out.append(f"{library}: {'no tests in its folder' if installed else 'not installed'}")
            continue
        here, there = (run(tests, library, files, p, options, folder, shuffle=True) for p in PLATFORMS)
        # What fails here is run there even if the time did not allow it.
        missed = [name for name, (outcome, _) in here.items() if outcome == "failed" and name not in there]
        if missed:
            there |= run(tests, f"{library}.missed", missed, "cpu", options, folder)
        row, failed, slow = compare(here, there)
        sums = [a + b for a, b in zip(sums, row)]
        failures += [(f"{library}: {name}", why) for name, why in failed]
        late += [f"{library}: {name}" for name in slow]
        numbers = " | ".join(map(str, row[:4]))
        print(f"| {library} | {installed} | {numbers} | {share(row)} |", flush=True)
    print(f"| all | | {' | '.join(map(str, sums[:4]))} | {share(sums)} |")
    for line in left_out:
        print(f"\nLeft out: {line}")
    report(failures, late, options, folder)


if __name__ == "__main__":
    main()
