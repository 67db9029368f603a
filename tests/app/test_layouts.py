"""Own layouts of the panels are kept, and what cannot be read is neither used nor lost."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from app.layouts import (
    Arrangement,
    LayoutError,
    LayoutStore,
    from_json,
    kept_arrangement,
    to_json,
)

DEEP = "[" * 100_000
KNOWN = frozenset({"cpu", "memory", "kv_cache"})
LECTURE = Arrangement(
    order=("memory", "cpu", "kv_cache"),
    shown=("cpu", "memory"),
    floating=("cpu",),
    is_large=True,
    state=b"\x00\xff state",
)


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def read(settings: QSettings) -> LayoutStore:
    """A store as the next start makes it."""
    settings.sync()
    again = QSettings(settings.fileName(), QSettings.Format.IniFormat)
    store = LayoutStore(again)
    store.read(KNOWN)
    return store


def test_layouts_survive_a_restart_with_their_names(settings: QSettings) -> None:
    store = LayoutStore(settings)
    assert store.read(KNOWN) == []
    store.save("Vorlesung, „groß“ & laut", LECTURE)
    store.save("lab", LECTURE)
    store.rename("lab", "Lab")
    assert read(settings).names == ("Lab", "Vorlesung, „groß“ & laut")
    assert read(settings).get("Lab") == LECTURE
    store.delete("Lab")
    assert read(settings).get("Lab") is None


def test_names_are_given_once_and_are_not_empty(settings: QSettings) -> None:
    store = LayoutStore(settings)
    store.save("Lecture", LECTURE)
    assert store.problem_of_name("") is not None
    assert store.problem_of_name("x" * 81) is not None
    assert store.problem_of_name("lecture") is not None
    assert store.problem_of_name("lecture", "Lecture") is None
    assert store.problem_of_name("Lab") is None


@pytest.mark.parametrize(
    "name", ["  ", "a\nb", "a\tb", "a\u2028b", "ab\u202egnp", "a\x00", "\u200d", "a\ud800"]
)
def test_names_that_break_a_line_or_deceive_are_refused(settings: QSettings, name: str) -> None:
    assert LayoutStore(settings).problem_of_name(name) is not None
    entries = [{"name": name, **to_json(LECTURE)}, {"name": "Mine", **to_json(LECTURE)}]
    settings.setValue("window/layouts", json.dumps(entries))
    store = LayoutStore(settings)
    (problem,) = store.read(KNOWN)
    assert problem.name == ""
    assert store.names == ("Mine",)


@pytest.mark.parametrize("name", ["Café  1", "\N{WOMAN}\u200d\N{PERSONAL COMPUTER}", "Vortrag & 2"])
def test_names_of_people_are_taken(settings: QSettings, name: str) -> None:
    assert LayoutStore(settings).problem_of_name(name) is None


def test_nobody_calls_a_layout_like_one_that_is_always_there(settings: QSettings) -> None:
    store = LayoutStore(settings, ["Essential", "All"])
    assert store.problem_of_name("essential") is not None
    assert store.problem_of_name("Essentials") is None


def test_a_name_that_is_far_too_long_is_not_offered_and_kept(settings: QSettings) -> None:
    entry = {"name": "x" * 1_000_000, **to_json(LECTURE)}
    settings.setValue("window/layouts", json.dumps([entry]))
    store = LayoutStore(settings)
    (problem,) = store.read(KNOWN)
    assert problem.name == ""
    assert store.names == ()
    store.save("Mine", LECTURE)
    assert entry in json.loads(str(settings.value("window/layouts")))


@pytest.mark.parametrize(
    ("entry", "stranger"),
    [
        ({"name": "Newer", **to_json(LECTURE), "shown": ["cpu", "quantum"]}, "quantum"),
        ({"name": "Newer", **to_json(LECTURE), "state": "%"}, ""),
        ({"name": "Newer", **to_json(LECTURE), "order": "cpu"}, ""),
        ({"name": "Newer", **to_json(LECTURE), "large": 1}, ""),
        ({"name": "Newer"}, ""),
    ],
)
def test_a_layout_that_cannot_be_used_is_told_and_kept(
    settings: QSettings, entry: dict[str, object], stranger: str
) -> None:
    settings.setValue("window/layouts", json.dumps([entry, {"name": "Mine", **to_json(LECTURE)}]))
    store = LayoutStore(settings)
    (problem,) = store.read(KNOWN)
    assert (problem.name, problem.stranger) == ("Newer", stranger)
    assert store.names == ("Mine",)
    assert store.problem_of_name("newer") is not None
    store.save("Other", LECTURE)
    assert entry in json.loads(str(settings.value("window/layouts")))


@pytest.mark.parametrize("stored", ["", "{", "7", '{"name": "x"}', pytest.param(DEEP, id="deep")])
def test_layouts_that_cannot_be_read_are_put_aside(settings: QSettings, stored: str) -> None:
    settings.setValue("window/layouts", stored)
    store = LayoutStore(settings)
    (problem,) = store.read(KNOWN)
    assert settings.value(problem.kept_as) == stored
    store.save("Mine", LECTURE)
    assert settings.value(problem.kept_as) == stored
    assert read(settings).names == ("Mine",)


def test_what_was_put_aside_before_is_not_overwritten(settings: QSettings) -> None:
    kept_as = []
    for stored in ("{", "7", "x"):
        settings.setValue("window/layouts", stored)
        (problem,) = LayoutStore(settings).read(KNOWN)
        kept_as.append(problem.kept_as)
    assert kept_as == [f"window/layouts_unread{n}" for n in ("", 2, 3)]
    assert [settings.value(key) for key in kept_as] == ["{", "7", "x"]


def test_an_arrangement_that_is_nested_too_deeply_is_none(settings: QSettings) -> None:
    settings.setValue("window/panels", QByteArray(DEEP.encode()))
    assert kept_arrangement(settings) is None


@pytest.mark.parametrize("stored", [None, [], {}, {"state": 7, "order": [], "shown": [1]}])
def test_what_is_no_arrangement_is_refused(stored: object) -> None:
    with pytest.raises(LayoutError):
        from_json(stored)


def test_sizes_alone_make_no_other_arrangement() -> None:
    same = Arrangement(
        order=("kv_cache", "memory", "cpu"),
        shown=("memory", "cpu"),
        floating=("cpu",),
        is_large=True,
        state=b"other",
    )
    assert same.is_like(LECTURE)
    assert not Arrangement(
        order=("cpu", "memory"),
        shown=("memory", "cpu"),
        floating=("cpu",),
        is_large=True,
        state=b"",
    ).is_like(LECTURE)
