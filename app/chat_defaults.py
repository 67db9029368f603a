"""What new chats begin with: the person's defaults, and the preset of the model."""

import json

from PySide6.QtCore import QObject, QSettings

from app.chat_settings import ChatSettings, SettingsError, from_json, to_json
from app.engine_state import EngineState
from app.presets import PresetStore
from app.session import ChatSession
from engine.foreign_json import json_value

_KEY = "chat/defaults"


class ChatDefaults(QObject):
    """Gives the session what new chats begin with. Lives in the main thread.

    Attributes:
        presets: Named settings, and the one of each model.
    """

    def __init__(self, session: ChatSession, settings: QSettings, presets: PresetStore) -> None:
        """Follow the model of `session`; defaults are kept in `settings`."""
        super().__init__(session)
        self._session = session
        self._settings = settings
        self.presets = presets
        self._model_name: str | None = None
        session.engine_changed.connect(self._on_engine_changed)
        self._on_engine_changed(session.engine_state)
        self.refresh()

    @property
    def model_name(self) -> str | None:
        """The model that was loaded last; presets are remembered by it."""
        return self._model_name

    def defaults(self) -> ChatSettings:
        """What the person chose for new chats; what is damaged counts as nothing chosen."""
        text = self._settings.value(_KEY)
        try:
            return from_json(json_value(text)) if isinstance(text, str) else ChatSettings()
        except (SettingsError, ValueError):
            return ChatSettings()

    def set_defaults(self, settings: ChatSettings) -> None:
        """New chats begin with these from now on."""
        self._settings.setValue(_KEY, json.dumps(to_json(settings)))
        self.refresh()

    def refresh(self) -> None:
        """Tell the session what new chats begin with, after presets have changed."""
        settings = self.defaults()
        preset = None if self._model_name is None else self.presets.of_model(self._model_name)
        self._session.set_new_settings(settings if preset is None else preset.applied(settings))

    def _on_engine_changed(self, state: EngineState) -> None:
        name = self._model_name if state.loaded is None else state.loaded.model.name
        if name != self._model_name:
            self._model_name = name
            self.refresh()
