"""Takes back what an install that ended early has left in an environment."""

from __future__ import annotations

import csv
import shutil
import sysconfig
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def undone(venv: Path) -> Iterator[Path]:
    """Around an install: gives a temporary folder for it, and undoes what it does not finish.

    pip itself takes back only what it was replacing: killed, or on a full disk, it leaves half a
    package, which Python would import and a later pip might take for installed.
    """
    site = site_packages(venv)
    temporary = venv / "oscillama-unpacking"
    remove_cut_off(site, _names(site))
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    before = _names(site)
    try:
        yield temporary
    except BaseException:
        remove_cut_off(site, before)
        raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def site_packages(venv: Path) -> Path:
    """Where an environment of this Python's version keeps its packages."""
    base = {"base": str(venv), "platbase": str(venv), "installed_base": str(venv)}
    return Path(sysconfig.get_path("purelib", "venv", base))


def remove_cut_off(site: Path, before: set[str]) -> None:
    """Remove unfinished packages: their metadata, and what is new since `before` and nobody's.

    pip writes INSTALLER when a package is in place, so metadata without one is of half a package.
    """
    for metadata in site.glob("*.dist-info"):
        if not (metadata / "INSTALLER").exists():
            shutil.rmtree(metadata)
    for name in _names(site) - before - _owned(site):
        path = site / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _names(site: Path) -> set[str]:
    return {path.name for path in site.iterdir()}


def _owned(site: Path) -> set[str]:
    """The names in `site` that belong to a package that is whole."""
    owned: set[str] = set()
    for record in site.glob("*.dist-info/RECORD"):
        with record.open(newline="", encoding="utf-8") as rows:
            owned.update(row[0].partition("/")[0] for row in csv.reader(rows) if row)
    return owned
