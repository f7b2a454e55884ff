"""Chooses the programs that the repository keeps of a capture (capture.py), without running them.

    sample.py --programs DIR --out tests/jax_suite/sample [--count 60]

Takes small programs (text and arrays together below `--bytes`) one after another, each time the one with most forms
that those taken before do not have; a form is an operation, or the target of a custom call, with an element type.
Among equals the one with the smaller text, then the smaller hash, is taken.
"""

import argparse
import pathlib
import re
import shutil

FORM = re.compile(r"\b(?:stablehlo|chlo|sdy)\.[a-z_0-9]+")
TARGET = re.compile(r"custom_call @(\S+?)\(")
ELEMENT = re.compile(r"tensor<(?:[0-9?]+x)*([a-zA-Z][a-zA-Z0-9]*(?:<[a-z0-9]+>)?)")


def forms(text):
    """Pairs of an operation and an element type of its line."""
    found = set()
    for line in text.splitlines():
        types = set(ELEMENT.findall(line))
        names = FORM.findall(line) + TARGET.findall(line)
        found.update((name, ty) for name in names for ty in types or {""})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--bytes", type=int, default=6000)
    options = parser.parse_args()
    candidates = {}
    for folder in sorted(p for p in options.programs.iterdir() if not p.name.startswith(".")):
        if sum(f.stat().st_size for f in folder.iterdir()) <= options.bytes:
            text = (folder / "program.mlir").read_text()
            candidates[folder.name] = (forms(text), len(text))
    covered, taken = set(), []
    while candidates and len(taken) < options.count:
        name = min(candidates, key=lambda n: (-len(candidates[n][0] - covered), candidates[n][1], n))
        covered |= candidates.pop(name)[0]
        taken.append(name)
    for name in taken:
        shutil.copytree(options.programs / name, options.out / name)
    print(f"{len(taken)} programs, {len(covered)} forms")


if __name__ == "__main__":
    main()
