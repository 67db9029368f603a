"""Run files as somebody would edit them."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from app.runs.file import RunFileError, read_run
from app.runs.record import RunFault


def rewrite(path: Path, *, name: str, change: object, with_sums: bool = False) -> None:
    """The file with one member replaced, as an editor of archives would."""
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    assert callable(change)
    members[name] = change(members[name])
    if with_sums:
        members["SHA256SUMS"] = "".join(
            f"{hashlib.sha256(content).hexdigest()}  {name}\n"
            for name, content in members.items()
            if name != "SHA256SUMS"
        ).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)


def fault_of(path: Path) -> RunFault:
    with pytest.raises(RunFileError) as raised:
        read_run(path)
    return raised.value.fault


def rewrite_field(path: Path, *names: str, value: object) -> None:
    """The file with another value in its JSON, and with the sums of that."""

    def change(content: bytes) -> bytes:
        document = json.loads(content)
        place = document
        for name in names[:-1]:
            place = place[name]
        assert names[-1] in place
        place[names[-1]] = value
        return json.dumps(document).encode()

    rewrite(path, name="run.json", change=change, with_sums=True)
