"""The whole application around the starter model, for tests that look at one part of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

import main
from app.chat_settings import ChatSettings
from app.paths import app_paths
from engine.values import LoadOptions, SamplingParams

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


ENDLESS = "Count from 1 to 10000: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,"
"""What the starter model, where it is greedy, answers until its context is full."""

GREEDY = ChatSettings(sampling=SamplingParams(temperature=0))


@contextmanager
def starter_window(
    qapp: QApplication, model_path: Path, *, max_tokens: int
) -> Iterator[main.WindowApplication]:
    """The window on screen, in English, while the model loads; closed at the end."""
    before = QLocale()
    paths = app_paths()
    options = LoadOptions(model_path=str(model_path), n_ctx=1024)
    made = main.WindowApplication(
        qapp, paths, main.engine_starter(paths), options, locale=QLocale("en_US")
    )
    made.window.resize(1280, 800)
    made.session.set_chat_settings(
        made.session.current_chat,
        ChatSettings(sampling=SamplingParams(temperature=0.8, seed=5), max_tokens=max_tokens),
    )
    made.show()
    yield made
    made.window.hide()
    made.close()
    made.window.deleteLater()
    QLocale.setDefault(before)
