"""Builds the wheel ``jax-wengert`` with the standard library alone: ``python pjrt/build_wheel.py``.

The library is built under the profile ``wheel`` (release without what only debuggers read), and put beside the Python sources
in a zip file with the metadata that installers ask for. The tag says the oldest glibc that has all that the library calls:
with ``--target`` it is linked against that of 2012, so that it can be installed nearly everywhere.
"""

import argparse
import base64
import csv
import hashlib
import importlib.util
import io
import os
import pathlib
import platform
import re
import struct
import subprocess
import sys
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent

#: The oldest glibc that installers have a tag for on these machines.
OLDEST = (2, 17)

#: Most bytes that a wheel may have.
LARGEST = 15_000_000

#: Machines by their numbers in ELF.
MACHINES = {62: "x86_64", 183: "aarch64"}

SUMMARY = "Wengert as a platform of JAX: JAX_PLATFORMS=wengert,cpu"


def version():
    """The version of the workspace."""
    with open(ROOT / "Cargo.toml", "rb") as file:
        return tomllib.load(file)["workspace"]["package"]["version"]


def build(profile, target):
    """Builds the library.

    Parameters
    ----------
    profile : str
        What cargo builds under.
    target : str or None
        Rust's name of the machine that it is for; this one if there is none.

    Returns
    -------
    pathlib.Path
        The library.
    """
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "build", "-p", "wengert-pjrt", "--lib", "--profile", profile]
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    environment = dict(os.environ)
    if target:
        command += ["--target", target]
        variable = f"CARGO_TARGET_{target.upper().replace('-', '_')}_LINKER"
        environment.setdefault(variable, str(linker(target, folder)))
        folder /= target
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    folder /= "debug" if profile == "dev" else profile
    name = "libwengert_pjrt.dylib" if sys.platform == "darwin" else "libwengert_pjrt.so"
    return folder / name


def linker(target, folder):
    """A program that links for another machine, or for an older glibc than this machine's: zig's, which has all of them.

    Parameters
    ----------
    target : str
        Rust's name of the machine.
    folder : pathlib.Path
        Where to write the program.

    Returns
    -------
    pathlib.Path
    """
    if importlib.util.find_spec("ziglang") is None:
        raise SystemExit(f"linking for {target} needs zig: {sys.executable} -m pip install ziglang")
    machine = target.split("-")[0]
    glibc = ".".join(map(str, OLDEST))
    path = folder / f"link-{target}"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ziglang cc -target {machine}-linux-gnu.{glibc} "$@"\n')
    path.chmod(0o755)
    return path


def needed(library):
    """The machine that an ELF library is for, and the oldest glibc that has every symbol that it asks for.

    Parameters
    ----------
    library : pathlib.Path

    Returns
    -------
    str, tuple of int
    """
    data = library.read_bytes()
    if data[:4] != b"\x7fELF" or data[4] != 2 or data[5] != 1:
        raise SystemExit(f"{library} is no 64-bit little-endian ELF library")
    (number,) = struct.unpack_from("<H", data, 0x12)
    if number not in MACHINES:
        raise SystemExit(f"{library} is for machine {number}, for which there is no tag")
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + k * size) for k in range(count)]
    newest = OLDEST
    for kind, offset, length, link in ((s[1], s[4], s[5], s[6]) for s in sections):
        if kind != 0x6FFFFFFE:  # SHT_GNU_verneed
            continue
        strings = sections[link][4]
        at = offset
        while True:
            _, auxiliaries, _, aux, after = struct.unpack_from("<HHIII", data, at)
            entry = at + aux
            for _ in range(auxiliaries):
                _, _, _, name, next_entry = struct.unpack_from("<IHHII", data, entry)
                text = data[strings + name : data.index(b"\0", strings + name)].decode()
                found = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", text)
                if found:
                    newest = max(newest, (int(found[1]), int(found[2])))
                entry += next_entry
            if not after:
                break
            at += after
    return MACHINES[number], newest


def tag(library):
    """The tag of the platform that the library is for."""
    if sys.platform == "darwin":
        release = ".".join(platform.mac_ver()[0].split(".")[:1]) or "11"
        return f"macosx_{release}_0_{platform.machine()}"
    machine, (major, minor) = needed(library)
    return f"manylinux_{major}_{minor}_{machine}"


def contents(library, tag):
    """Names and bytes of the files in the wheel, without the record."""
    files = {}
    for path in sorted((HERE / "python").rglob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[path.relative_to(HERE / "python").as_posix()] = path.read_bytes()
    # The name that the package looks for, whatever the library was called.
    files["jax_plugins/wengert/libwengert_pjrt.so"] = library.read_bytes()
    folder = f"jax_wengert-{version()}.dist-info"
    metadata = [
        "Metadata-Version: 2.1",
        "Name: jax-wengert",
        f"Version: {version()}",
        f"Summary: {SUMMARY}",
        "License: MIT OR Apache-2.0",
        "Requires-Python: >=3.11",
        "Requires-Dist: jax>=0.7.0",
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / "docs" / "jax.md").read_text(),
    ]
    files[f"{folder}/METADATA"] = "\n".join(metadata).encode()
    wheel = ["Wheel-Version: 1.0", "Generator: wengert", "Root-Is-Purelib: false", f"Tag: py3-none-{tag}", ""]
    files[f"{folder}/WHEEL"] = "\n".join(wheel).encode()
    files[f"{folder}/entry_points.txt"] = b"[jax_plugins]\nwengert = jax_plugins.wengert\n"
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        files[f"{folder}/{name}"] = (ROOT / name).read_bytes()
    return files, folder


def write(path, files, folder):
    """Writes the wheel. The same files give the same bytes."""
    record = io.StringIO()
    lines = csv.writer(record, lineterminator="\n")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, data in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.writerow([name, f"sha256={digest}", len(data)])
            out.writestr(_entry(name), data)
        lines.writerow([f"{folder}/RECORD", "", ""])
        out.writestr(_entry(f"{folder}/RECORD"), record.getvalue().encode())


def _entry(name):
    entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o755 if name.endswith((".so", ".dylib")) else 0o644) << 16
    return entry


def main():
    """Builds the library and the wheel."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="wheel", help="the profile that cargo builds under")
    parser.add_argument("--target", help="Rust's name of the machine, for example aarch64-unknown-linux-gnu; linked by zig (pip install ziglang)")
    parser.add_argument("--library", type=pathlib.Path, help="a library that is built already")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / "wheels", help="the folder to write to")
    args = parser.parse_args()
    library = args.library or build(args.profile, args.target)
    platform_tag = tag(library)
    files, folder = contents(library, platform_tag)
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / f"jax_wengert-{version()}-py3-none-{platform_tag}.whl"
    write(path, files, folder)
    size = path.stat().st_size
    print(f"{path} ({size / 1e6:.1f} MB)")
    if size > LARGEST:
        raise SystemExit(f"a wheel of more than {LARGEST / 1e6:.0f} MB: is the library stripped?")


if __name__ == "__main__":
    main()
