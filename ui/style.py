"""The style sheet: what the palette cannot say, generated from it."""

from string import Template

from ui.palette import ColorName

# Widgets choose a look with the dynamic property "look"; fonts are set with QFont, which alone
# knows OpenType features.
_SHEET = Template("""
QToolTip { background: $panel; color: $text; border: 1px solid $line; padding: 6px 8px; }

QPushButton, QToolButton {
    background: $panel; color: $text; border: 1px solid $line; border-radius: 8px;
    padding: 6px 12px;
}
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:focus, QToolButton:focus { border-color: $accent; }
QPushButton:disabled, QToolButton:disabled { color: $faint; }
QToolButton::menu-indicator { image: none; width: 0; }
/* Their pictures are Qt's own, which are dark in every theme. */
QFileDialog QToolButton { padding: 3px; border-radius: 6px; background: #c9ced6; }
QFileDialog QToolButton:hover { background: #dfe3e9; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }

QPushButton[look="primary"] {
    background: $accent; color: $on_accent; border-color: $accent; padding: 7px 16px;
}
QPushButton[look="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[look="primary"]:focus { border: 2px solid $text; padding: 6px 15px; }
QPushButton[look="primary"]:disabled {
    background: $line; color: $faint; border-color: $line;
}
QPushButton[look="quiet"], QToolButton[look="quiet"] {
    background: transparent; color: $muted; border: 1px solid transparent; padding: 4px 8px;
    border-radius: 7px;
}
QPushButton[look="quiet"]:hover, QToolButton[look="quiet"]:hover {
    background: $hover; color: $text;
}
QPushButton[look="quiet"]:focus, QToolButton[look="quiet"]:focus { border-color: $accent; }
QPushButton[look="quiet"]:disabled { color: $faint; }
QPushButton[look="quiet"]:checked, QToolButton[look="quiet"]:checked {
    background: $hover; color: $accent;
}
/* They unfold something: that it is there shows. */
ReasoningPart > QPushButton[look="quiet"]:checked,
MessageCard > QPushButton[look="quiet"]:checked { color: $text; }

QPushButton[look="round"] { border-radius: 15px; padding: 0; }

QPushButton[look="back"] {
    background: transparent; color: $accent; border: 1px solid $line; padding: 2px 9px;
    border-radius: 7px;
}
QPushButton[look="back"]:hover { background: $hover; }
QPushButton[look="back"]:focus { border-color: $accent; }

QPushButton[look="icon"] {
    background: transparent; border: 1px solid transparent; padding: 4px; border-radius: 7px;
}
QPushButton[look="icon"]:hover { background: $hover; }
QPushButton[look="icon"]:focus { border-color: $accent; }
/* In the head of a panel. */
PanelHeader QPushButton[look="icon"], PanelHeader QToolButton[look="quiet"] { padding: 0; }

QPushButton[look="wide"] { border-radius: 9px; padding: 0 12px; text-align: left; }
QPushButton[look="drop"] { border-radius: 9px; padding: 7px 30px 7px 12px; text-align: left; }
QPushButton::menu-indicator { image: none; width: 0; }
QPushButton[look="suggestion"] {
    border-radius: 12px; padding: 11px 16px; text-align: left; background: transparent;
}
QPushButton[look="suggestion"]:hover { background: $hover; }
QPushButton[look="suggestion"]:focus { border-color: $accent; }

QPlainTextEdit[look="log"], QLineEdit[look="log"] {
    background: $code; color: $text; border: 1px solid $line; border-radius: 8px; padding: 4px;
}
QPlainTextEdit[look="log"]:focus, QLineEdit[look="log"]:focus { border-color: $accent; }

QLineEdit[look="field"] {
    background: $panel; color: $text; border: 1px solid $line; border-radius: 8px; padding: 0 6px;
}
QLineEdit[look="field"]:focus { border-color: $accent; }
QPushButton[look="file"] {
    background: transparent; color: $text; border: 1px solid transparent; padding: 4px 10px;
    border-radius: 7px; text-align: left;
}
QPushButton[look="file"]:hover { background: $hover; }
QPushButton[look="file"]:focus { border-color: $accent; }
QPushButton[look="file"]:disabled { color: $muted; }
QPushButton[look="sent"] {
    background: $panel; color: $muted; border: 1px solid $line; border-radius: 8px;
    padding: 5px 10px; text-align: left;
}
QPushButton[look="sent"]:hover { color: $text; }
QPushButton[look="sent"]:focus { border-color: $accent; }
QFrame[look="chip"] { background: $bubble; border-radius: 8px; }

QCheckBox::indicator {
    width: 14px; height: 14px; border: 1px solid $faint; border-radius: 4px; background: $panel;
}
QCheckBox::indicator:checked { background: $accent; border-color: $accent; }
QCheckBox::indicator:disabled { border-color: $line; }
QCheckBox:focus { color: $accent; }
QCheckBox:disabled { color: $faint; }

QTableView {
    background: $panel; border: 1px solid $line; border-radius: 8px;
    selection-background-color: $bubble; selection-color: $text; outline: 0;
}
QTableView:focus { border-color: $accent; }
QTableView::item { padding: 0 6px; }
QTableView::item:focus { border: 1px solid $faint; border-radius: 4px; padding: 0 5px; }
QHeaderView { background: transparent; }
QHeaderView::section {
    background: $panel; color: $muted; border: none; border-bottom: 1px solid $line;
    padding: 5px 8px;
}
QHeaderView::section:first { border-top-left-radius: 7px; }
QHeaderView::section:last { border-top-right-radius: 7px; }
QHeaderView::section:only-one { border-top-left-radius: 7px; border-top-right-radius: 7px; }
QTableView QLineEdit { background: $panel; color: $text; border: 1px solid $accent; }

QMenu { background: $panel; color: $text; border: 1px solid $line; padding: 5px; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 6px; }
QMenu::item:selected { background: $hover; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $line; margin: 5px 8px; }
QMenu::indicator { width: 14px; height: 14px; left: 6px; }
QMenu::item:checked { color: $accent; }

QSplitter::handle { background: $line; }
QMainWindow::separator { background: transparent; height: 8px; width: 8px; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 2px; }
QScrollBar::handle:hover { background: $faint; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
""")


def style_sheet(colors: dict[ColorName, str]) -> str:
    """The style sheet in these colours."""
    return _SHEET.substitute(**colors)
