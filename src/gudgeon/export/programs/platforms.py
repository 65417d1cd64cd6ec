"""Machines that code is made for, and the C compilers that link it.

LLVM writes object files for all of them. A shared library needs a linker and the system's C library, which the
`ziglang` package has for every platform; a compiler of this computer serves its own platform only.
"""

from __future__ import annotations

import importlib.util
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gudgeon.quantity import GudgeonError, closest, in_words

__all__ = ["PLATFORMS", "SOURCES", "TargetPlatform", "Toolchain", "chosen", "here", "known", "toolchain", "universal"]

SOURCES = Path(__file__).parent / "c"
REMEDY = "pip install ziglang, which compiles for every platform"


@dataclass(frozen=True)
class TargetPlatform:
    """A processor and an operating system.

    triple, zig  as LLVM and zig name them
    library      how names of shared libraries end
    fmi2, fmi3   folders of an FMU
    """

    triple: str
    zig: str
    library: str
    fmi2: str
    fmi3: str


LINUX, WINDOWS, MAC = ".so", ".dll", ".dylib"
PLATFORMS = {
    name: TargetPlatform(*entries)
    for name, *entries in (
        ("linux-x86_64", "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", LINUX, "linux64", "x86_64-linux"),
        ("linux-arm64", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", LINUX, "aarch64-linux", "aarch64-linux"),
        ("windows-x86_64", "x86_64-pc-windows-gnu", "x86_64-windows-gnu", WINDOWS, "win64", "x86_64-windows"),
        ("windows-arm64", "aarch64-pc-windows-gnu", "aarch64-windows-gnu", WINDOWS, "aarch64-windows",
         "aarch64-windows"),
        ("mac-x86_64", "x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", MAC, "darwin64", "x86_64-darwin"),
        ("mac-arm64", "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", MAC, "aarch64-darwin", "aarch64-darwin"),
    )
}  # fmt: skip
SYSTEMS = {"Linux": "linux", "Windows": "windows", "Darwin": "mac"}
PROCESSORS = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "arm64", "arm64": "arm64", "ARM64": "arm64"}


def here() -> str:
    """The platform of this computer."""
    name = f"{SYSTEMS.get(platform.system(), '?')}-{PROCESSORS.get(platform.machine(), '?')}"
    if name not in PLATFORMS:
        raise GudgeonError(f"{platform.system()} on {platform.machine()} is no platform that is exported for; "
                           f"choose from {', '.join(PLATFORMS)}")  # fmt: skip
    return name


@dataclass(frozen=True)
class Toolchain:
    """A C compiler and the platforms that it links for."""

    command: tuple[str, ...]
    platforms: tuple[str, ...]
    cross: bool

    def library(self, name: str, sources: Sequence[Path], objects: Mapping[str, bytes],
                defined: Sequence[str] = ()) -> bytes:  # fmt: skip
        """C sources and object files as a shared library for a platform."""
        made = PLATFORMS[name]
        with tempfile.TemporaryDirectory(prefix="gudgeon-") as folder:
            out = Path(folder) / f"library{made.library}"
            parts = []
            for title, code in objects.items():
                (Path(folder) / title).write_bytes(code)
                parts.append(title)
            flags = ["-std=c99", "-O2", "-shared", *(f"-D{x}" for x in defined), f"-I{SOURCES}"]
            flags += [] if name.startswith("windows") else ["-fPIC", "-fvisibility=hidden"]
            flags += ["-target", made.zig, "-s"] if self.cross else []
            words = [*self.command, *flags, *map(str, sources), *parts, "-o", str(out)]
            words += [] if name.startswith(("windows", "mac")) else ["-lm"]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                raise GudgeonError(f"{self.command[0]} did not link for {name}: {done.stderr.strip()[-2000:]}")
            return out.read_bytes()


def toolchain() -> Toolchain:
    """What links on this computer: zig for every platform, or its own C compiler for its own."""
    if importlib.util.find_spec("ziglang") is not None:
        return Toolchain((sys.executable, "-m", "ziglang", "cc"), tuple(PLATFORMS), True)
    zig = shutil.which("zig")
    if zig is not None:
        return Toolchain((zig, "cc"), tuple(PLATFORMS), True)
    for name in ("cc", "gcc", "clang"):
        path = shutil.which(name)
        if path is not None:
            return Toolchain((path,), (here(),), False)
    raise GudgeonError(f"an FMU holds shared libraries, and there is no C compiler to link them; {REMEDY}")


def known(name: str) -> str:
    """The name of a platform, refused where there is none."""
    if name not in PLATFORMS:
        likely = closest(name, PLATFORMS)
        remedy = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(PLATFORMS)}"
        raise GudgeonError(f'platform "{name}" is not known; {remedy}')
    return name


def chosen(names: Sequence[str] | None, tools: Toolchain) -> list[str]:
    """The platforms that are asked for, all that can be linked where none is."""
    if names is None:
        return list(tools.platforms)
    for name in names:
        known(name)
        if name not in tools.platforms:
            raise GudgeonError(f"{tools.command[0]} links for {in_words(tools.platforms)} only; for {name} {REMEDY}")
    return list(names)


def universal(slices: Mapping[str, bytes]) -> bytes:
    """Libraries for several processors of a Mac as one file, which FMI 2 has one folder for."""
    kinds = {"mac-x86_64": (0x01000007, 3), "mac-arm64": (0x0100000C, 0)}
    align = 14
    place = 1 << align
    head = struct.pack(">II", 0xCAFEBABE, len(slices))
    body = b""
    for name, code in slices.items():
        head += struct.pack(">iiIII", *kinds[name], place + len(body), len(code), align)
        body += code + bytes(-len(code) % (1 << align))
    return head + bytes(place - len(head)) + body
