"""Runs JAX's own tests on Wengert and on JAX's CPU platform, file by file, and compares them test by test.

JAX's wheel has no tests: take the folder ``tests`` of its repository at the tag of the installed version. ::

    python pjrt/scripts/jax_suite.py path/to/jax/tests --files lax_test linalg_test --sample 200

needs ``pytest``, ``absl-py`` and ``hypothesis`` beside ``jax`` and ``jax-wengert``. What counts is which of the tests that pass on
the CPU pass here. A sample is chosen by the names of tests, so it is the same everywhere.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLATFORMS = {"wengert": "wengert,cpu", "cpu": "cpu"}

#: Causes of failures, by what their message says; the first that is found.
CAUSES = [
    ("does not know", r"Wengert does not know (the [\w ]+ @?[\w.]+)"),
    ("cannot read", r"the program cannot be read: (.{0,60})"),
    ("several devices", r"devices at once"),
    ("not in the API", r"(PJRT_\w+) is not implemented"),
    ("panic", r"panicked \(this is a bug"),
    ("numbers", r"Not equal to tolerance|Mismatched elements|not close|AssertionError: Items"),
    ("unimplemented", r"UNIMPLEMENTED: (.{0,60})"),
    ("no rule for the platform", r"not found for platform|NotImplementedError"),
]


def run(tests, file, platform, options, folder):
    """Outcomes of the tests of a file.

    Returns
    -------
    dict
        Names of tests to pairs of an outcome ("passed", "failed", "skipped") and what was said.
    """
    log = folder / f"{file}.{platform}.jsonl"
    log.unlink(missing_ok=True)
    environment = dict(
        os.environ,
        JAX_PLATFORMS=PLATFORMS[platform],
        JAX_NUM_GENERATED_CASES=str(options.cases),
        JAX_SUITE_LOG=str(log),
        JAX_SUITE_SAMPLE=str(options.sample),
        PYTHONPATH=os.pathsep.join(
            filter(None, [str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH")])
        ),
    )
    command = [options.python, "-m", "pytest", "-q", "-x" if options.stop else "-q", "-p", "jax_suite_plugin"]
    command += ["-p", "no:cacheprovider", f"{file}.py"]
    left, restarts = options.timeout, 0
    outcomes = {}
    while restarts < 5:
        environment["JAX_SUITE_DONE"] = json.dumps(sorted(outcomes))
        try:
            done = subprocess.run(
                command, cwd=tests, env=environment, timeout=left, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            crashed = done.returncode < 0 or done.returncode > 128
        except subprocess.TimeoutExpired:
            crashed = None
        current = None
        for line in log.read_text().splitlines() if log.exists() else []:
            entry = json.loads(line)
            if entry["outcome"] == "began":
                current = entry["name"]
            else:
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
    return "other: " + (said.strip().splitlines() or [""])[-1][:80]


def main():
    """Runs the files and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", type=pathlib.Path, help="the folder of JAX's tests")
    parser.add_argument("--files", nargs="*", help="names of files without .py; all if not given")
    parser.add_argument("--cases", type=int, default=3, help="cases that JAX makes of each parametrized test")
    parser.add_argument("--sample", type=int, default=0, help="how many tests of a file; all if 0")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for a file on a platform")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--stop", action="store_true", help="stop a file at its first failure")
    parser.add_argument("--out", type=pathlib.Path, help="a folder for the logs")
    parser.add_argument("--failures", type=int, default=40, help="how many failures to list")
    options = parser.parse_args()
    folder = (options.out or pathlib.Path(tempfile.mkdtemp())).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    files = options.files or sorted(p.stem for p in options.tests.glob("*_test.py"))
    print("| file | passed here | failed | skipped | passed on cpu | of those here |")
    print("|---|---:|---:|---:|---:|---:|")
    causes, failures, sums = collections.Counter(), [], [0] * 5
    for file in files:
        here, there = (run(options.tests.resolve(), file, p, options, folder) for p in PLATFORMS)
        counts = collections.Counter(outcome for outcome, _ in here.values())
        # What the time allowed on both.
        both = [name for name, (outcome, _) in there.items() if outcome == "passed" and name in here]
        ran = [name for name in both if here[name][0] != "skipped"]
        good = sum(here[name][0] == "passed" for name in ran)
        share = f"{100 * good / len(ran):.1f} %" if ran else "-"
        row = [counts["passed"], counts["failed"], counts["skipped"], len(ran), good]
        sums = [a + b for a, b in zip(sums, row)]
        print(f"| {file} | {row[0]} | {row[1]} | {row[2]} | {row[3]} | {share} |", flush=True)
        for name, (outcome, said) in here.items():
            if outcome == "failed":
                on_cpu = there.get(name, ("not run", ""))[0]
                why = "fails on cpu too" if on_cpu == "failed" else cause(said)
                causes[why] += 1
                failures.append(f"{name}: {why}")
    share = f"{100 * sums[4] / sums[3]:.2f} %" if sums[3] else "-"
    print(f"| all | {sums[0]} | {sums[1]} | {sums[2]} | {sums[3]} | {share} |")
    print("\nCauses of failures:\n")
    for why, count in causes.most_common():
        print(f"- {count}: {why}")
    print(f"\nFailures (logs in {folder}):\n")
    for line in failures[: options.failures]:
        print(f"- {line}")


if __name__ == "__main__":
    main()
