"""The colours of the window by name, light and dark, and what Qt's palette is made of."""

from typing import Literal

from PySide6.QtGui import QColor, QPalette

ColorName = Literal[
    "background",
    "side",
    "panel",
    "line",
    "text",
    "muted",
    "faint",
    "accent",
    "accent_hover",
    "on_accent",
    "bubble",
    "code",
    "inline_code",
    "match",
    "match_now",
    # Code.
    "code_keyword",
    "code_string",
    "code_comment",
    "code_number",
    "code_name",
    "code_type",
    "hover",
    "error",
    "warning",
    # Phases of an answer.
    "phase_waiting",
    "phase_load",
    "phase_compile",
    "phase_template",
    "phase_tokenize",
    "phase_lookup",
    "phase_cached",
    "phase_prefill",
    "phase_decode",
    "phase_stopped",
    "on_phase",
    "on_dark_phase",
    # The memory map.
    "memory_weights",
    "memory_kv",
    "memory_compute",
    "memory_other",
    "memory_other_processes",
    # Curves of devices on the timeline, beside phases.
    "device_memory",
    "device_cpu",
    "device_gpu",
    # Cells of the KV cache, beside those of phases.
    "cell_system",
    "cell_unknown",
    # Tokens, from fast to slow and from likely to unlikely.
    "token_tint",
]

_DATA_COLORS: dict[ColorName, str] = {
    "phase_waiting": "#8a94a3",
    "phase_load": "#CC79A7",
    "phase_compile": "#4F6BFF",
    "phase_template": "#5d6878",
    "phase_tokenize": "#9370C4",
    "phase_lookup": "#8FD3BF",
    "phase_cached": "#009E73",
    "phase_prefill": "#E69F00",
    "phase_decode": "#56B4E9",
    "phase_stopped": "#D55E00",
    "on_phase": "#0f1216",
    "on_dark_phase": "#ffffff",
    "memory_weights": "#CC79A7",
    "memory_kv": "#009E73",
    "memory_compute": "#E69F00",
    "memory_other": "#8a94a3",
    "memory_other_processes": "#5d6878",
}

DARK: dict[ColorName, str] = _DATA_COLORS | {
    "background": "#0f1216",
    "side": "#14181e",
    "panel": "#171c23",
    "line": "#262d37",
    "text": "#e8ebf0",
    "muted": "#98a3b3",
    "faint": "#5d6878",
    "accent": "#56B4E9",
    "accent_hover": "#7cc5ef",
    "on_accent": "#0f1216",
    "bubble": "#1e2631",
    "code": "#10141a",
    "inline_code": "#1e242d",
    "match": "#5c4a12",
    "match_now": "#a5750a",
    "code_keyword": "#c9a0e0",
    "code_string": "#93cf9b",
    "code_comment": "#7d8898",
    "code_number": "#e3ab62",
    "code_name": "#74c0f2",
    "code_type": "#6fcbc0",
    "hover": "#1e2631",
    "token_tint": "#D55E00",
    "device_memory": "#e8ebf0",
    "device_cpu": "#d6cc3a",
    "device_gpu": "#c98f5f",
    "cell_system": "#b48ef0",
    "cell_unknown": "#b3906b",
    "error": "#f0894a",
    "warning": "#E69F00",
}

LIGHT: dict[ColorName, str] = _DATA_COLORS | {
    "background": "#ffffff",
    "side": "#f6f7f9",
    "panel": "#ffffff",
    "line": "#e2e6eb",
    "text": "#1a2027",
    "muted": "#5b6672",
    "faint": "#9aa4b0",
    "accent": "#0072B2",
    "accent_hover": "#005a8e",
    "on_accent": "#ffffff",
    "bubble": "#eef2f7",
    "code": "#f6f7f9",
    "inline_code": "#eef1f5",
    "match": "#fde9a9",
    "match_now": "#f7b733",
    "code_keyword": "#8636a0",
    "code_string": "#1f7a3d",
    "code_comment": "#6b7682",
    "code_number": "#a04f00",
    "code_name": "#005f99",
    "code_type": "#006d66",
    "hover": "#eef2f7",
    "token_tint": "#E69F00",
    "device_memory": "#1a2027",
    "device_cpu": "#8f8600",
    "device_gpu": "#7d4e24",
    "cell_system": "#7b52c7",
    "cell_unknown": "#8c6d4f",
    "error": "#b34700",
    "warning": "#8a5f00",
}


def qt_palette(colors: dict[ColorName, str]) -> QPalette:
    """Qt's palette in our colours."""
    palette = QPalette()
    roles: dict[QPalette.ColorRole, ColorName] = {
        QPalette.ColorRole.Window: "background",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "panel",
        QPalette.ColorRole.AlternateBase: "side",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.PlaceholderText: "faint",
        QPalette.ColorRole.Button: "panel",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.BrightText: "error",
        QPalette.ColorRole.ToolTipBase: "panel",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "on_accent",
        QPalette.ColorRole.Accent: "accent",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.LinkVisited: "accent",
        QPalette.ColorRole.Light: "hover",
        QPalette.ColorRole.Midlight: "line",
        QPalette.ColorRole.Mid: "line",
        QPalette.ColorRole.Dark: "line",
    }
    for role, name in roles.items():
        palette.setColor(role, QColor(colors[name]))
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
    ):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colors["faint"]))
    return palette
