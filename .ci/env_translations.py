"""Bring the translation files up to date with the sources, and compile them.

Translate what is then unfinished in resources/translations/*.ts, and run this again. The window
reads the compiled files, so these are committed too.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
# English is what the sources say; only its plurals need a file.
LANGUAGES = {"en": ["-pluralonly"], "fr": []}


def main() -> int:
    """Update and compile every language; returns how many strings are not translated."""
    FOLDER.mkdir(exist_ok=True)
    n_unfinished = 0
    for language in LANGUAGES:
        path = FOLDER / f"oscillama_{language}.ts"
        update(path, language)
        compile_to(path, path.with_suffix(".qm"))
        n_unfinished += path.read_text("utf-8").count('type="unfinished"')
    if n_unfinished:
        print(f"{n_unfinished} strings are not translated yet: see {FOLDER.relative_to(ROOT)}")
    return 1 if n_unfinished else 0


def update(path: Path, language: str, *, keeps_obsolete: bool = False) -> None:
    """Collect the strings of the sources into a .ts file, which may be new."""
    sources = [ROOT / "main.py", *(ROOT / "app").rglob("*.py"), *(ROOT / "ui").rglob("*.py")]
    options = ["-silent", "-locations", "none", "-source-language", "en"]
    if not keeps_obsolete:
        options.append("-no-obsolete")
    names = [str(source.relative_to(ROOT)) for source in sorted(sources)]
    options += ["-target-language", language, *LANGUAGES[language]]
    _run("pyside6-lupdate", *options, *names, "-ts", str(path))


def compile_to(path: Path, target: Path) -> None:
    """Compile a .ts file into a .qm file."""
    _run("pyside6-lrelease", "-silent", str(path), "-qm", str(target))


def _run(tool: str, *arguments: str) -> None:
    subprocess.run([str(Path(sys.executable).with_name(tool)), *arguments], cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
