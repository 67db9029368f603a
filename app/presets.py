"""Presets: named ways to answer, those built in and the person's own, and one for each model."""

import errno
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.chat_settings import ChatSettings, SettingsError, from_json, to_json
from app.files import replace_file
from app.text import is_clean_name
from engine.foreign_json import json_value
from engine.values import SamplingParams

translate = QCoreApplication.translate

_VERSION = 1
MOST_NAME_CHARACTERS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Settings with a name.

    Attributes:
        key: What it is remembered by: "builtin:precise", or "own:" and its name.
        name: For people.
        settings: What it sets; of a built-in one only the sampling counts.
    """

    key: str
    name: str
    settings: ChatSettings

    @property
    def is_built_in(self) -> bool:
        """Whether it comes with the application."""
        return self.key.startswith("builtin:")

    def applied(self, settings: ChatSettings) -> ChatSettings:
        """`settings` with what the preset sets."""
        if self.is_built_in:
            return replace(settings, sampling=self.settings.sampling)
        return replace(self.settings, overflow=settings.overflow)


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetProblem:
    """A file of presets that was not read.

    Attributes:
        path: The file.
        moved_to: Where it is now, None where it was left alone.
        reason: Why it was left alone, in the system's words or for people.
    """

    path: Path
    moved_to: Path | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    own: Mapping[str, ChatSettings] = field(default_factory=dict)
    of_model: Mapping[str, str] = field(default_factory=dict)


def built_in_presets() -> tuple[Preset, ...]:
    """The presets that come with the application, in the person's language."""
    sampling = {
        "balanced": (translate("Presets", "Balanced"), SamplingParams()),
        "precise": (
            translate("Presets", "Precise"),
            SamplingParams(temperature=0.3, top_k=40, top_p=0.9, min_p=0.1),
        ),
        "creative": (
            translate("Presets", "Creative"),
            SamplingParams(temperature=1.1, top_k=0, top_p=0.98, min_p=0.03),
        ),
        "deterministic": (
            translate("Presets", "Deterministic"),
            SamplingParams(temperature=0, seed=0),
        ),
    }
    return tuple(
        Preset(key=f"builtin:{key}", name=name, settings=ChatSettings(sampling=params))
        for key, (name, params) in sampling.items()
    )


class PresetStore:
    """The person's presets in a JSON file. Main thread only.

    Methods that write raise OSError where the file cannot be written; nothing has changed then.
    """

    def __init__(self, path: Path) -> None:
        """Read `path`. A damaged file is moved aside; `problem` says so."""
        self._path = path
        self._problem: PresetProblem | None = None
        self._refusal: OSError | None = None
        self._kept = self._read()

    @property
    def problem(self) -> PresetProblem | None:
        """Why presets that were kept are not here; None where all is well."""
        return self._problem

    def presets(self) -> tuple[Preset, ...]:
        """Built-in ones first, then the person's own by name."""
        own = sorted(self._kept.own.items(), key=lambda item: item[0].casefold())
        return (
            *built_in_presets(),
            *(Preset(key=f"own:{name}", name=name, settings=settings) for name, settings in own),
        )

    def find(self, key: str) -> Preset | None:
        """The preset of a key, None where it is gone."""
        return next((preset for preset in self.presets() if preset.key == key), None)

    def problem_of_name(self, name: str, renamed: Preset | None = None) -> str | None:
        """Why a preset cannot be called `name`, in the person's words; None where it can.

        `renamed` is the one to be called so, None for a new one.
        """
        name = name.strip()
        if not name:
            return translate("Presets", "Type a name first.")
        if len(name) > MOST_NAME_CHARACTERS:
            return translate("Presets", "Choose a shorter name.")
        if not is_clean_name(name):
            return translate("Presets", "The name has characters that cannot be shown.")
        others = [preset for preset in self.presets() if preset != renamed]
        if name.casefold() in {preset.name.casefold() for preset in others}:
            return translate("Presets", "There is a preset of this name already.")
        return None

    def save(self, name: str, settings: ChatSettings) -> Preset:
        """Keep settings under a name, which may be one of the person's own already."""
        self._write(replace(self._kept, own={**self._kept.own, name: settings}))
        return Preset(key=f"own:{name}", name=name, settings=settings)

    def rename(self, preset: Preset, name: str) -> Preset:
        """Call one of the person's own presets otherwise; models keep it."""
        own = {key: kept for key, kept in self._kept.own.items() if key != preset.name}
        own[name] = preset.settings
        key = f"own:{name}"
        of_model = {
            model: key if kept == preset.key else kept
            for model, kept in self._kept.of_model.items()
        }
        self._write(_Kept(own=own, of_model=of_model))
        return Preset(key=key, name=name, settings=preset.settings)

    def delete(self, preset: Preset) -> None:
        """Forget one of the person's own presets; models that had it have none then."""
        own = {name: kept for name, kept in self._kept.own.items() if name != preset.name}
        of_model = {m: key for m, key in self._kept.of_model.items() if key != preset.key}
        self._write(_Kept(own=own, of_model=of_model))

    def of_model(self, model_name: str) -> Preset | None:
        """The preset chosen for a model."""
        key = self._kept.of_model.get(model_name)
        return None if key is None else self.find(key)

    def choose_for_model(self, model_name: str, preset: Preset | None) -> None:
        """Remember a preset for a model, None for none."""
        of_model = {m: key for m, key in self._kept.of_model.items() if m != model_name}
        if preset is not None:
            of_model[model_name] = preset.key
        if of_model != self._kept.of_model:
            self._write(replace(self._kept, of_model=of_model))

    def _read(self) -> _Kept:
        try:
            return _parsed(self._path.read_bytes())
        except FileNotFoundError:
            return _Kept()
        except OSError as error:
            # Unreadable now is not damaged: it is left alone, and not written over.
            self._refuse(error)
            return _Kept()
        except _NewerFileError:
            self._refuse(OSError(errno.EPROTO, _newer()))
            return _Kept()
        except ValueError:
            aside = self._path.with_name(self._path.name + ".damaged")
            number = 1
            while aside.exists():
                number += 1
                aside = self._path.with_name(f"{self._path.name}.damaged-{number}")
            try:
                self._path.rename(aside)
                self._problem = PresetProblem(path=self._path, moved_to=aside)
            except OSError as error:
                self._refuse(error)
            return _Kept()

    def _refuse(self, error: OSError) -> None:
        self._refusal = error
        self._problem = PresetProblem(path=self._path, reason=error.strerror or str(error))

    def _write(self, kept: _Kept) -> None:
        """Replace the file in one step, so that no crash leaves half of it."""
        if self._refusal is not None:
            raise self._refusal
        document = {
            "version": _VERSION,
            "presets": {name: to_json(settings) for name, settings in kept.own.items()},
            "models": dict(kept.of_model),
        }
        replace_file(self._path, json.dumps(document, indent=2).encode())
        self._kept = kept


class _NewerFileError(Exception):
    """A later version of Oscillama wrote the file."""


def _newer() -> str:
    return translate("Presets", "a later version of Oscillama wrote it")


def _parsed(data: bytes) -> _Kept:
    """What a file holds; raises ValueError for what no `PresetStore` has written."""
    document = json_value(data.decode("utf-8"))
    version = document.get("version") if isinstance(document, dict) else None
    if isinstance(version, int) and version > _VERSION:
        raise _NewerFileError
    if version != _VERSION:
        raise SettingsError("not a file of presets")
    presets, models = document.get("presets"), document.get("models")
    if not isinstance(presets, dict) or not isinstance(models, dict):
        raise SettingsError("presets or models are missing")
    return _Kept(
        own={name: from_json(value) for name, value in presets.items()},
        of_model={model: str(key) for model, key in models.items()},
    )
