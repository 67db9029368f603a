"""Presets survive a restart, and no damaged or unreadable file is written over."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from app.chat_defaults import ChatDefaults
from app.chat_settings import ChatSettings, Overflow, SettingsError, from_json, to_json
from app.presets import PresetStore
from app.session import ChatSession
from engine.sampling_bounds import check
from engine.values import SamplingParams

MINE = ChatSettings(
    system_prompt="Réponds en français 🚀",
    sampling=SamplingParams(temperature=0.2, top_k=7, seed=0xFFFF_FFFF),
    max_tokens=300,
    stop=("\n\n", "END"),
    overflow=Overflow.DROP_OLDEST,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "presets.json"


@pytest.fixture
def store(path: Path) -> PresetStore:
    return PresetStore(path)


def names(store: PresetStore) -> list[str]:
    return [preset.name for preset in store.presets()]


def test_settings_come_back_from_json() -> None:
    assert from_json(json.loads(json.dumps(to_json(MINE)))) == MINE
    assert from_json({}) == ChatSettings()


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"system_prompt": 3},
        {"stop": "END"},
        {"stop": [""]},
        {"max_tokens": 0},
        {"max_tokens": 1.5},
        {"max_tokens": True},
        {"overflow": "explode"},
        {"sampling": {"temperature": "warm"}},
        {"sampling": {"temperature": float("nan")}},
        {"sampling": {"temperature": None}},
        {"sampling": {"top_k": 1.5}},
        {"sampling": {"top_p": 1.1}},
        {"sampling": {"seed": -1}},
    ],
)
def test_settings_that_no_engine_would_take_are_refused(value: object) -> None:
    with pytest.raises(SettingsError):
        from_json(value)


def test_there_are_four_presets_to_begin_with_and_samplers_take_them(store: PresetStore) -> None:
    assert names(store) == ["Balanced", "Precise", "Creative", "Deterministic"]
    for preset in store.presets():
        check(preset.settings.sampling)
        assert preset.is_built_in
        applied = preset.applied(MINE)
        assert applied == replace(MINE, sampling=preset.settings.sampling)


def test_deterministic_has_no_chance_in_it(store: PresetStore) -> None:
    preset = store.find("builtin:deterministic")
    assert preset is not None
    assert preset.settings.sampling.temperature == 0
    assert preset.settings.sampling.seed is not None


def test_own_presets_survive_a_restart(path: Path, store: PresetStore) -> None:
    kept = store.save("Mine", MINE)
    store.choose_for_model("Smol", kept)
    again = PresetStore(path)
    assert again.find(kept.key) == kept
    assert again.of_model("Smol") == kept
    assert again.of_model("Other") is None
    assert again.problem is None
    assert [each.name for each in path.parent.iterdir()] == ["presets.json"]


def test_an_own_preset_sets_all_but_what_happens_when_it_no_longer_fits(store: PresetStore) -> None:
    kept = store.save("Mine", MINE)
    assert kept.applied(ChatSettings()) == replace(MINE, overflow=Overflow.STOP)


def test_a_model_follows_a_rename_and_forgets_what_is_deleted(store: PresetStore) -> None:
    kept = store.save("Mine", MINE)
    store.choose_for_model("Smol", kept)
    renamed = store.rename(kept, "Ours")
    assert names(store)[4:] == ["Ours"]
    assert store.of_model("Smol") == renamed
    store.delete(renamed)
    assert names(store)[4:] == []
    assert store.of_model("Smol") is None


def test_names_are_taken_once(store: PresetStore) -> None:
    kept = store.save("Mine", MINE)
    assert store.problem_of_name("  ") is not None
    assert store.problem_of_name("x" * 81) is not None
    assert store.problem_of_name("balanced") is not None
    assert store.problem_of_name("MINE") is not None
    assert store.problem_of_name("MINE", kept) is None
    assert store.problem_of_name("Ours") is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b'{"version": 0, "presets": {}, "models": {}}',
        b'{"version": 1, "presets": {"a": {"max_tokens": -1}}, "models": {}}',
        b'{"version": 1, "presets": {}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_moved_aside(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    store = PresetStore(path)
    assert len(names(store)) == 4
    assert store.problem is not None
    assert store.problem.moved_to is not None
    assert store.problem.moved_to.read_bytes() == data
    store.save("Mine", MINE)
    path.write_bytes(data)
    second = PresetStore(path)
    assert second.problem is not None
    assert second.problem.moved_to not in (None, store.problem.moved_to)
    assert store.problem.moved_to.read_bytes() == data


def test_a_file_of_a_later_version_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    data = b'{"version": 2, "presets": {}, "models": {}, "more": 1}'
    path.write_bytes(data)
    store = PresetStore(path)
    assert store.problem is not None
    assert store.problem.moved_to is None
    assert "later version" in store.problem.reason
    with pytest.raises(OSError, match="later version"):
        store.save("Mine", MINE)
    assert path.read_bytes() == data


def test_a_file_that_cannot_be_read_is_not_written_over(path: Path) -> None:
    path.mkdir(parents=True)  # to read a folder fails, whoever the person is
    store = PresetStore(path)
    assert store.problem is not None
    assert store.problem.moved_to is None
    with pytest.raises(OSError, match=r"."):
        store.save("Mine", MINE)
    assert len(names(store)) == 4
    assert path.is_dir()


def test_a_write_that_fails_changes_nothing(
    path: Path, store: PresetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save("Mine", MINE)
    before = path.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.save("Other", MINE)
    assert names(store)[4:] == ["Mine"]
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["presets.json"]


def test_defaults_survive_a_restart(
    session: ChatSession, store: PresetStore, tmp_path: Path, qtbot: QtBot
) -> None:
    file = str(tmp_path / "s.ini")
    settings = QSettings(file, QSettings.Format.IniFormat)
    ChatDefaults(session, settings, store).set_defaults(MINE)
    assert session.current_chat.settings == MINE
    settings.sync()
    again = QSettings(file, QSettings.Format.IniFormat)
    assert ChatDefaults(session, again, store).defaults() == MINE


def test_damaged_defaults_are_as_new(
    session: ChatSession, store: PresetStore, tmp_path: Path
) -> None:
    settings = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    settings.setValue("chat/defaults", '{"max_tokens": -4}')
    assert ChatDefaults(session, settings, store).defaults() == ChatSettings()
