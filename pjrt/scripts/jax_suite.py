"""Runs JAX's own tests on Wengert and on JAX's CPU platform, file by file, and compares them test by test.

JAX's wheel has no tests: take the folder ``tests`` of its repository at the tag of the installed version. ::

    python pjrt/scripts/jax_suite.py path/to/jax/tests --files lax_test linalg_test --sample 200

needs ``pytest``, ``absl-py`` and ``hypothesis`` beside ``jax`` and ``jax-wengert``. What counts is which of the tests that pass on
the CPU pass here. A sample is chosen by the names of tests, so it is the same everywhere.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

PLATFORMS = {"wengert": "wengert,cpu", "cpu": "cpu"}

#: Causes of failures, by what their message says; the first that is found.
CAUSES = [
    ("does not know", r"Wengert does not know (the [\w ]+ @?[\w.]+)"),
    ("cannot read", r"the program cannot be read: (.{0,60})"),
    ("several devices", r"devices at once"),
    ("not in the API", r"(PJRT_\w+) is not implemented"),
    ("crash", r"^the process crashed$"),
    ("panic", r"panicked \(this is a bug"),
    ("does not import", r"ModuleNotFoundError: (.{0,60})"),
    ("numbers", r"Not equal to tolerance|Mismatched elements|not close|AssertionError: Items"),
    ("unimplemented", r"UNIMPLEMENTED: (.{0,60})"),
    ("no rule for the platform", r"not found for platform|NotImplementedError"),
]


def run(tests, name, files, platform, options, folder, shuffle=False):
    """Outcomes of the tests of some files, in one process of pytest as long as none crashes.

    Parameters
    ----------
    tests : pathlib.Path
        The folder in which pytest is started.
    name : str
        What the logs are named by.
    files : list of str
        Files of tests, from that folder.
    platform : str
        A key of `PLATFORMS`.
    options : argparse.Namespace
        What `parser` reads.
    folder : pathlib.Path
        Where the logs are written.
    shuffle : bool
        Whether to run the sample in an order that is random but fixed, rather than in that of the files.

    Returns
    -------
    dict
        Names of tests to pairs of an outcome and what was said. Outcomes are "passed", "failed", "skipped", "late" for what took
        longer than a test may, and "unread" for a file that cannot be imported.
    """
    log, output = (folder / f"{name}.{platform}.{ending}" for ending in ("jsonl", "txt"))
    log.unlink(missing_ok=True)
    environment = dict(
        os.environ,
        JAX_PLATFORMS=PLATFORMS[platform],
        JAX_NUM_GENERATED_CASES=str(options.cases),
        JAX_SUITE_LOG=str(log),
        JAX_SUITE_SAMPLE=str(options.sample),
        JAX_SUITE_SHUFFLE=str(int(shuffle)),
        JAX_SUITE_LIMIT=str(options.limit),
        PYTHONPATH=os.pathsep.join(
            filter(None, [str(pathlib.Path(__file__).resolve().parent), os.environ.get("PYTHONPATH")])
        ),
    )
    command = [options.python, "-m", "pytest", "-q", "-x" if options.stop else "-q", "-p", "jax_suite_plugin"]
    command += ["-p", "no:cacheprovider", "--continue-on-collection-errors", *files]
    end, restarts = time.monotonic() + options.timeout, 0
    outcomes = {}
    while restarts < 5:
        environment["JAX_SUITE_DONE"] = json.dumps(sorted(outcomes))
        with open(output, "a" if restarts else "w") as to:
            process = subprocess.Popen(
                command, cwd=tests, env=environment, stdout=to, stderr=subprocess.STDOUT, start_new_session=True
            )
            try:
                status = process.wait(max(1, end - time.monotonic()))
                crashed = status < 0 or status > 128
            except subprocess.TimeoutExpired:
                crashed = None
            finally:
                # What a test has started goes with it.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        current = None
        for line in log.read_text().splitlines() if log.exists() else []:
            entry = json.loads(line)
            if entry["outcome"] == "began":
                current = entry["name"]
            else:
                # A part of a test that fails is said before the whole, which may be said to pass.
                if outcomes.get(entry["name"], ("",))[0] != "failed":
                    outcomes[entry["name"]] = (entry["outcome"], entry["said"])
                current = None
        if not crashed or current is None:
            break
        # A test that took the process with it has failed; the others go on.
        outcomes[current] = ("failed", "the process crashed")
        restarts += 1
    return outcomes


def cause(said):
    """In a few words, why a test failed."""
    for name, pattern in CAUSES:
        found = re.search(pattern, said)
        if found:
            return f"{name}: {found[1]}" if found.groups() and found[1] else name
    # Pytest marks the message by an E; the first is where it begins.
    lines = re.findall(r"^E +(.+)", said, re.MULTILINE)[:1] or said.strip().splitlines()[-1:] or [""]
    return "other: " + lines[0][:80]


def compare(here, there):
    """Two platforms' outcomes of the same tests.

    Parameters
    ----------
    here, there : dict
        What `run` returns on Wengert and on the CPU.

    Returns
    -------
    row : list of int
        How many passed, failed and were skipped here, how many passed there and ran here too, and how many of those passed here.
    failures : list of tuple of str
        Names of tests that fail here, and why.
    late : list of str
        Names of tests that pass there and took too long here.
    """
    counts = collections.Counter(outcome for outcome, _ in here.values())
    # What the time allowed on both.
    both = [name for name, (outcome, _) in there.items() if outcome == "passed" and name in here]
    ran = [name for name in both if here[name][0] in ("passed", "failed")]
    good = sum(here[name][0] == "passed" for name in ran)
    failures = []
    for name, (outcome, said) in here.items():
        on_cpu = there.get(name, ("not run", ""))[0]
        if outcome in ("failed", "unread"):
            why = cause(said) + (" (not run on cpu)" if on_cpu == "not run" else "")
            failures.append((name, f"{outcome} on cpu too" if on_cpu == outcome else why))
    late = [name for name in both if here[name][0] == "late"]
    return [counts["passed"], counts["failed"], counts["skipped"], len(ran), good], failures, late


def share(row):
    """Of the tests that pass on the CPU, the part that passes here."""
    return f"{100 * row[4] / row[3]:.1f} %" if row[3] else "-"


def report(failures, late, options, folder):
    """Writes what follows the table: the causes, how often each, and the tests."""
    print("\nCauses of failures:\n")
    for why, count in collections.Counter(why for _, why in failures).most_common():
        print(f"- {count}: {why}")
    print(f"\nFailures (logs in {folder}):\n")
    for name, why in failures[: options.failures]:
        print(f"- {name}: {why}")
    if late:
        print(f"\nPassed on cpu, took more than {options.limit:g} s here:\n")
        for name in late[: options.failures]:
            print(f"- {name}")


def parser(description, timeout):
    """Reads the options that `run` and `report` look at."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--cases", type=int, default=3, help="cases that JAX makes of each of its own parametrized tests")
    made.add_argument("--timeout", type=float, default=timeout, help="seconds on a platform for each row of the table")
    made.add_argument("--python", default=sys.executable)
    made.add_argument("--stop", action="store_true", help="stop at the first failure")
    made.add_argument("--out", type=pathlib.Path, help="a folder for the logs")
    made.add_argument("--failures", type=int, default=40, help="how many failures to list")
    return made


def logs(options):
    """The folder for the logs, made."""
    folder = (options.out or pathlib.Path(tempfile.mkdtemp())).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def main():
    """Runs the files and writes the table."""
    read = parser(__doc__, timeout=600)
    read.add_argument("tests", type=pathlib.Path, help="the folder of JAX's tests")
    read.add_argument("--files", nargs="*", help="names of files without .py; all if not given")
    read.add_argument("--sample", type=int, default=0, help="how many tests of a file; all if 0")
    read.add_argument("--limit", type=float, default=0, help="seconds for a test; none if 0")
    options = read.parse_args()
    folder = logs(options)
    files = options.files or sorted(p.stem for p in options.tests.glob("*_test.py"))
    print("| file | passed here | failed | skipped | passed on cpu | of those here |")
    print("|---|---:|---:|---:|---:|---:|")
    failures, late, sums = [], [], [0] * 5
    for file in files:
        here, there = (run(options.tests.resolve(), file, [f"{file}.py"], p, options, folder) for p in PLATFORMS)
        row, failed, slow = compare(here, there)
        sums = [a + b for a, b in zip(sums, row)]
        failures += failed
        late += slow
        print(f"| {file} | {row[0]} | {row[1]} | {row[2]} | {row[3]} | {share(row)} |", flush=True)
    print(f"| all | {sums[0]} | {sums[1]} | {sums[2]} | {sums[3]} | {share(sums)} |")
    report(failures, late, options, folder)


if __name__ == "__main__":
    main()
