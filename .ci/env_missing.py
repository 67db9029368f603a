"""What this machine lacks for an install, and the one command that puts it there."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

# The oldest glibc that the wheels of PySide6-Essentials 6.11 are built for.
GLIBC_NEEDED = {"x86_64": (2, 34), "aarch64": (2, 39)}

# Shared libraries that QtWidgets loads, and the Debian package of each.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libzstd.so.1": "libzstd1",
}
# What Qt's plugin for X11 needs besides.
XCB_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
# And its plugin for Wayland.
WAYLAND_LIBRARIES = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}

# Room for the environment and for what is unpacked and compiled on the way, in bytes.
DISK_NEEDED_BYTES = {"run": 2 * 10**9, "dev": 3 * 10**8, "torch": 2 * 10**9}


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What is not there: names for people, Debian packages that bring it, and what else to do."""

    names: list[str] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether anything is missing."""
        return bool(self.names or self.advice)

    def line(self, *, has_apt: bool, is_root: bool) -> str:
        """One line that says what is missing and which command installs it."""
        parts = list(self.advice)
        if self.names:
            missing = "missing: " + ", ".join(self.names) + "."
            if has_apt:
                sudo = "" if is_root else "sudo "
                missing += f" Install with: {sudo}apt-get install {' '.join(self.packages)}"
            else:
                missing += " Install them with your system's package manager"
            parts.append(missing)
        return "oscillama: " + "; ".join(parts)


def find_missing(steps: Iterable[str], root: Path, environ: Mapping[str, str]) -> Missing:
    """Look at this machine for everything that the steps of an install need."""
    names: list[str] = []
    packages: list[str] = []
    advice: list[str] = []
    steps = list(steps)
    free_bytes = shutil.disk_usage(root).free
    advice += disk_advice(steps, free_bytes)
    if "run" in steps:
        advice += glibc_advice(sys.platform, platform.machine(), platform.libc_ver())
        if sys.platform == "win32":
            # CMake finds Visual Studio by itself and says so when it is not there.
            pass
        elif not compiles("cc", environ) or not compiles("c++", environ):
            names.append("a C and C++ compiler that works")
            packages.append("build-essential")
            if sys.platform == "darwin":
                advice.append("the compiler comes with: xcode-select --install")
        if sys.platform.startswith("linux"):
            libraries = qt_libraries(environ)
            absent = [name for name in libraries if not loads(name)]
            names += absent
            packages += [libraries[name] for name in absent]
    if "dev" in steps and shutil.which("git") is None:
        names.append("git")
        packages.append("git")
    return Missing(names=names, packages=packages, advice=advice)


def qt_libraries(environ: Mapping[str, str]) -> dict[str, str]:
    """The libraries that Qt needs on the display of this environment, each with its package."""
    chosen = environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    libraries = dict(QT_LIBRARIES)
    if chosen in {"", "xcb"}:
        libraries |= XCB_LIBRARIES
    if chosen == "wayland" or (not chosen and environ.get("WAYLAND_DISPLAY")):
        libraries |= WAYLAND_LIBRARIES
    return libraries


def loads(library: str) -> bool:
    """Whether the dynamic loader finds a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def compiles(kind: str, environ: Mapping[str, str]) -> bool:
    """Whether a compiler ("cc" or "c++") makes a program, headers and linker included."""
    language, header, variable, commands = {
        "cc": ("c", "stdio.h", "CC", ("cc", "gcc", "clang")),
        "c++": ("c++", "string", "CXX", ("c++", "g++", "clang++")),
    }[kind]
    chosen = environ.get(variable)
    command = chosen.split() if chosen else None
    if command is None:
        found = next((path for path in map(shutil.which, commands) if path), None)
        command = [found] if found else None
    if command is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = f"#include <{header}>\nint main() {{ return 0; }}\n"
        try:
            subprocess.run(
                [*command, "-x", language, "-", "-o", os.path.join(folder, "program")],
                input=source.encode(),
                check=True,
                capture_output=True,
                timeout=60,
            )
        except (OSError, subprocess.SubprocessError):
            return False
    return True


def glibc_advice(system: str, machine: str, libc: tuple[str, str]) -> list[str]:
    """What to say where Qt has no build for this system's C library or processor."""
    if not system.startswith("linux"):
        return []
    needed = GLIBC_NEEDED.get(machine)
    if needed is None:
        return [f"Qt for Python has no build for this processor ({machine})"]
    wanted = ".".join(map(str, needed))
    name, version = libc
    if name != "glibc":
        return [
            f"Qt for Python needs glibc {wanted} or newer, and this system has another C library"
        ]
    if tuple(int(part) for part in version.split(".")[:2]) >= needed:
        return []
    return [
        f"Qt for Python needs glibc {wanted} or newer and this system has {version}: "
        "use a newer release, such as Debian 12 or Ubuntu 22.04"
        + (" (Ubuntu 24.04 or Debian 13 on this processor)" if needed > (2, 35) else "")
    ]


def disk_advice(steps: Iterable[str], free_bytes: int) -> list[str]:
    """What to say where the disk has no room for the steps."""
    needed_bytes = sum(DISK_NEEDED_BYTES[step] for step in steps)
    if free_bytes >= needed_bytes:
        return []
    free, needed = free_bytes / 10**9, needed_bytes / 10**9
    return [f"the disk has {free:.1f} GB free and this needs {needed:.1f} GB"]


def report(missing: Missing, which: Callable[[str], str | None] = shutil.which) -> str:
    """The line for this machine and this person."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return missing.line(has_apt=which("apt-get") is not None, is_root=is_root)
