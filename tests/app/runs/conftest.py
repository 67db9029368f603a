"""A file of a run, for tests that read it."""

from pathlib import Path

import pytest

from app.runs.file import write_run
from tests.app.runs.making import MS, T0, recorded, sample


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run.npz"
    write_run(path, recorded(samples=(sample(T0 - 5 * MS), sample(T0 + 200 * MS))))
    return path
