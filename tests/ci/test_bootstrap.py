"""The way in picks a Python, knows a complete environment, and says what is missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap
import env_install
import env_lock
import env_missing
import env_pip
import env_stamp

ROOT = Path(__file__).parents[2]


def _shim(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


class TestChoiceOfPython:
    def test_first_supported_one_that_makes_environments_is_used(self) -> None:
        found = [("old", (3, 10), True), ("bare", (3, 12), False), ("good", (3, 11), True)]
        assert bootstrap.choose(found) == ("good", "")

    def test_missing_venv_module_is_named_with_its_package(self) -> None:
        python, line = bootstrap.choose([("bare", (3, 12), False)])
        assert python is None
        assert "sudo apt-get install python3.12-venv" in line
        assert "\n" not in line

    @pytest.mark.parametrize("version", [(3, 10), (3, 14)])
    def test_unsupported_version_is_named(self, version: tuple[int, int]) -> None:
        python, line = bootstrap.choose([("python3", version, True)])
        assert python is None
        assert "3.11, 3.12 or 3.13 is needed" in line
        assert f"found 3.{version[1]}" in line
        assert "\n" not in line

    @pytest.mark.skipif(os.name == "nt", reason="shims are shell scripts")
    def test_commands_that_do_not_run_are_passed_over(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        selected, path = tmp_path / "shims", tmp_path / "bin"
        selected.mkdir()
        path.mkdir()
        old = _shim(tmp_path, "old", "echo 3 8 1")
        _shim(selected, "python3.13", "echo 'command not found' >&2; exit 127")
        good = _shim(path, "python3.13", "echo 3 13 1")
        monkeypatch.setattr(sys, "_base_executable", str(old))
        found = bootstrap.find_pythons(f"{selected}{os.pathsep}{path}")
        assert found == [(str(old), (3, 8), True), (str(good), (3, 13), True)]

    def test_entry_is_read_by_old_pythons(self) -> None:
        import ast

        for name in ("bootstrap.py", "env_stamp.py"):
            source = (ROOT / ".ci" / name).read_text(encoding="utf-8")
            ast.parse(source, feature_version=(3, 6))


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupted_install_ends_in_its_own_way() -> None:
    install = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, lambda *_: (print('stopped', flush=True), sys.exit(130)))\n"
        "print('begun', flush=True)\n"
        "signal.pause()\n"
    )
    entry = f"import bootstrap, sys; sys.exit(bootstrap.call([sys.executable, '-c', {install!r}]))"
    process = subprocess.Popen(
        [sys.executable, "-c", entry],
        cwd=ROOT / ".ci",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate()
    assert (process.returncode, output, errors) == (130, "stopped\n", "")


class TestStamps:
    VERSION = (3, 11)

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        for names in env_stamp.LOCKS.values():
            for name in names:
                (tmp_path / name).write_text(f"pins of {name}\n")
        (tmp_path / ".venv").mkdir()
        return tmp_path

    def _missing(self, root: Path, *steps: str, version: tuple[int, int] = VERSION) -> list[str]:
        return env_stamp.missing_steps(str(root), str(root / ".venv"), steps, version)

    def _done(self, root: Path, step: str) -> None:
        env_stamp.mark_done(str(root), str(root / ".venv"), step, self.VERSION)

    def test_a_step_is_missing_until_it_is_done(self, root: Path) -> None:
        assert self._missing(root, "run", "dev") == ["run", "dev"]
        self._done(root, "run")
        assert self._missing(root, "run", "dev") == ["dev"]

    @pytest.mark.parametrize("lock", env_stamp.LOCKS["run"])
    def test_a_changed_lock_file_asks_for_its_step_again(self, root: Path, lock: str) -> None:
        self._done(root, "run")
        self._done(root, "dev")
        (root / lock).write_text("other pins\n")
        assert self._missing(root, "run", "dev") == ["run"]

    def test_another_python_asks_for_everything_again(self, root: Path) -> None:
        self._done(root, "run")
        assert self._missing(root, "run", version=(3, 12)) == ["run"]

    def test_an_unfinished_install_is_never_complete(self, root: Path) -> None:
        self._done(root, "run")
        env_stamp.begin_installing(str(root / ".venv"))
        assert self._missing(root, "run") == ["run"]
        env_stamp.end_installing(str(root / ".venv"))
        assert self._missing(root, "run") == []

    def test_an_interrupted_environment_is_removed(self, root: Path) -> None:
        venv = root / ".venv"
        env_stamp.begin_installing(str(venv))
        env_install.prepare(venv)
        assert not venv.exists()

    def test_an_environment_whose_python_does_not_run_is_removed(self, root: Path) -> None:
        venv = root / ".venv"
        python = Path(env_stamp.python_of(str(venv)))
        python.parent.mkdir()
        python.symlink_to(root / "gone")
        env_install.prepare(venv)
        assert not venv.exists()


class TestWhatIsMissing:
    def test_nothing_missing(self) -> None:
        assert not env_missing.Missing()

    def test_one_line_names_libraries_and_the_command(self) -> None:
        missing = env_missing.Missing(names=["libEGL.so.1", "git"], packages=["libegl1", "git"])
        assert missing.line(has_apt=True, is_root=False) == (
            "oscillama: missing: libEGL.so.1, git. Install with: sudo apt-get install libegl1 git"
        )
        assert "sudo" not in missing.line(has_apt=True, is_root=True)
        assert "apt-get" not in missing.line(has_apt=False, is_root=False)

    @pytest.mark.parametrize(
        ("machine", "libc", "says"),
        [
            ("x86_64", ("glibc", "2.34"), None),
            ("x86_64", ("glibc", "2.31"), "glibc 2.34 or newer and this system has 2.31"),
            ("aarch64", ("glibc", "2.39"), None),
            ("aarch64", ("glibc", "2.36"), "glibc 2.39 or newer and this system has 2.36"),
            ("x86_64", ("", ""), "another C library"),
            ("riscv64", ("glibc", "2.40"), "no build for this processor (riscv64)"),
        ],
    )
    def test_c_library(self, machine: str, libc: tuple[str, str], says: str | None) -> None:
        advice = env_missing.glibc_advice("linux", machine, libc)
        assert (advice == []) if says is None else (says in advice[0])

    def test_c_library_is_a_matter_of_linux(self) -> None:
        assert env_missing.glibc_advice("darwin", "arm64", ("", "")) == []

    def test_disk(self) -> None:
        assert env_missing.disk_advice(["run"], 10**12) == []
        assert env_missing.disk_advice(["run", "dev"], 10**9) == [
            "the disk has 1.0 GB free and this needs 2.3 GB"
        ]

    @pytest.mark.parametrize(
        ("environ", "wanted", "unwanted"),
        [
            ({}, "libxcb-cursor.so.0", "libwayland-client.so.0"),
            ({"WAYLAND_DISPLAY": "wayland-0"}, "libwayland-client.so.0", None),
            ({"QT_QPA_PLATFORM": "offscreen"}, "libEGL.so.1", "libxcb-cursor.so.0"),
        ],
    )
    def test_libraries_follow_the_display(
        self, environ: dict[str, str], wanted: str, unwanted: str | None
    ) -> None:
        libraries = env_missing.qt_libraries(environ)
        assert wanted in libraries
        assert unwanted not in libraries

    def test_compilers_are_tried_not_looked_up(self, tmp_path: Path) -> None:
        headerless = _shim(tmp_path, "cc", "echo 'stdio.h: No such file' >&2; exit 1")
        works = _shim(tmp_path, "c++", "exit 0")
        assert not env_missing.compiles("cc", {"CC": str(headerless)})
        assert not env_missing.compiles("cc", {"CC": str(tmp_path / "gone")})
        assert env_missing.compiles("c++", {"CXX": str(works)})

    def test_absent_library_is_noticed(self) -> None:
        assert not env_missing.loads("libthere-is-no-such-library.so.7")

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads ELF files")
    def test_list_covers_what_qt_links_to(self) -> None:
        import PySide6

        folder = Path(PySide6.__path__[0]) / "Qt"
        linked = subprocess.run(
            ["ldd", folder / "lib" / "libQt6Widgets.so.6", folder / "plugins/platforms/libqxcb.so"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        # Those that every Debian has, and those that come with the ones listed.
        everywhere = {"libc", "libdl", "libgcc_s", "libm", "libpthread", "libstdc++", "libz"}
        named = {line.split()[0] for line in linked.splitlines() if "=>" in line}
        direct = {name for name in named if name.startswith(("libxcb-", "libxkbcommon"))}
        known = env_missing.QT_LIBRARIES | env_missing.XCB_LIBRARIES
        assert direct <= known.keys()
        assert known.keys() <= named
        assert not {name.split(".")[0] for name in known} & everywhere


class TestInstall:
    def test_everything_but_torch_is_checked_against_hashes(self) -> None:
        arguments = env_pip.pip_arguments("requirements.lock", None)
        assert {"--require-hashes", "--no-deps", "--no-build-isolation"} <= set(arguments)
        assert "--require-hashes" not in env_pip.pip_arguments("requirements-torch.lock", None)

    def test_a_build_with_options_does_not_come_from_the_cache(self) -> None:
        arguments = env_pip.pip_arguments("requirements.lock", "-DGGML_CUDA=on")
        assert "--no-cache-dir" in arguments

    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ("after connection broken by 'NewConnectionError(...)'", "check the network"),
            ("connection broken by 'NameResolutionError(...)'", "check the network"),
            ("OSError: [Errno 28] No space left on device", "the disk is full"),
            ("ERROR: No matching distribution found for torch==2.13.0", "no build"),
            ("ERROR: something new", "above"),
        ],
    )
    def test_a_failure_has_a_reason(self, said: str, words: str) -> None:
        assert words in env_pip.reason(f"Collecting cmake\n{said}\n")[1]


class TestLockFiles:
    def test_agree_with_the_project(self) -> None:
        assert env_lock.disagreements(ROOT) == []

    def test_a_changed_dependency_is_noticed(self, tmp_path: Path) -> None:
        for path in [ROOT / "pyproject.toml", *ROOT.glob("*.lock")]:
            text = path.read_text(encoding="utf-8").replace(
                "pyqtgraph==0.14.0", "pyqtgraph==0.13.7"
            )
            (tmp_path / path.name).write_text(text, encoding="utf-8")
        problems = env_lock.disagreements(tmp_path)
        assert [problem.split()[0] for problem in problems] == [
            "requirements-build.lock",
            "requirements.lock",
            "requirements-dev.lock",
            "requirements-torch.lock",
        ]

    def test_a_pin_without_hash_is_noticed(self) -> None:
        text = "# head\na==1 \\\n    --hash=sha256:00\nb==2 ; python_version < '3.12'\nc==3\n"
        assert env_lock.unhashed(text) == ["b==2", "c==3"]
