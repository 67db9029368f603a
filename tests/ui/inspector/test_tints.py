"""What colouring answers looks at, and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_a_window_without_colours_loads_nothing_of_them() -> None:
    code = (
        "import sys, ui.main_window\n"
        "from PySide6.QtWidgets import QApplication, QWidget\n"
        "from PySide6.QtCore import QSettings\n"
        "from app.tint import Tint\n"
        "from ui.inspector.actions import InspectorActions\n"
        "from ui.inspector.legend import TintLegend\n"
        "from ui.theme import Theme\n"
        "app = QApplication(['test'])\n"
        "theme, window = Theme(app, QSettings('none', 'none')), QWidget()\n"
        "InspectorActions(window).show_tint(Tint.NONE)\n"
        "TintLegend(theme, window).show_tint(Tint.NONE)\n"
        "unwanted = {'app.token_looks', 'engine.inspection', 'ui.inspector.wording',\n"
        "    'ui.inspector.tints', 'ui.inspector.answer_map', 'ui.inspector.panel'}\n"
        "print(sorted(unwanted & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
