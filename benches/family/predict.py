"""What the compiler expects of kernels, beside what is measured: ``python benches/family/predict.py``.

Runs ``wengert bench --profile --json`` on the programs that ``run.py`` exported (``open`` unless named otherwise) on one thread,
and prints which share of the kernels, and of the time, is predicted within a factor of two, by what limits a kernel and by what it
is, and the kernels that are predicted worst. Kernels under a microsecond are left out: the clock is in them.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import subprocess

import run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["open"])
    parser.add_argument("--size", default="medium")
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--least", type=float, default=1.0, help="microseconds of a kernel that counts")
    parser.add_argument("--worst", type=int, default=30)
    parser.add_argument("--wengert", default=str(run.ROOT / "target" / "release" / "wengert"))
    parser.add_argument("--folder", default=str(run.ROOT / "target" / "family"))
    options = parser.parse_args()
    rows = []
    for p in run.family.select(run.family.load(), options.names):
        folder = pathlib.Path(options.folder) / p.name / options.size
        if not (folder / "meta.json").exists():
            continue
        meta = json.loads((folder / "meta.json").read_text())
        for function in ("f", "grad") if meta["diff_args"] else ("f",):
            words = run.command(options, folder, meta, function)
            done = subprocess.run(
                [options.wengert, "bench", *words, "--profile", "--json", "--seconds", str(options.seconds)],
                capture_output=True,
                text=True,
                env=dict(os.environ, WENGERT_THREADS="1"),
            )
            if done.returncode:
                print(f"{p.name} {function}: {done.stderr.strip()[:200]}")
                continue
            for kernel in json.loads(done.stdout)["kernels"]:
                if kernel["runs"] and kernel["time_us"] / kernel["runs"] >= options.least:
                    rows.append((kernel["estimate_us"] / kernel["time_us"], kernel, f"{p.name} {function}"))

    def share(title, some):
        if some:
            near = [r for r in some if 0.5 <= r[0] <= 2.0]
            time = sum(r[1]["time_us"] for r in near) / sum(r[1]["time_us"] for r in some)
            print(f"{title}: {len(near) / len(some):.0%} of {len(some)} kernels, {time:.0%} of the time, within 2x")

    share("all", rows)
    for key in ("bound", "kind"):
        groups = collections.defaultdict(list)
        for r in rows:
            groups[r[1][key]].append(r)
        for name, some in sorted(groups.items()):
            share(f"{key} {name}", some)
    rows.sort(key=lambda r: -abs(math.log(max(r[0], 1e-6))))
    print("| predicted / measured | measured, us | kernel |\n|--:|--:|---|")
    for ratio, kernel, name in rows[: options.worst]:
        print(f"| {ratio:.2f} | {kernel['time_us']:.1f} | {name}: {kernel['kind']}, {kernel['what'][:60]} ({kernel['how'][:60]}) |")


if __name__ == "__main__":
    main()
