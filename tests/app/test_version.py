import tomllib
from pathlib import Path

from app.version import VERSION


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))

    assert project["project"]["version"] == VERSION
