"""The token inspector: opens the panel where a word is clicked, and colours answers."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRect, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.tint import Tint
from ui.conversation.text_part import TextPart
from ui.inspector.actions import InspectorActions
from ui.inspector.legend import level_colors
from ui.inspector.strip import InspectorStrip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.session import ChatSession
    from app.token_looks import TokenLook
    from app.transcript import Answer
    from ui.conversation.answer_widget import AnswerWidget
    from ui.conversation.view import ConversationView
    from ui.inspector.answer_map import AnswerMap
    from ui.inspector.panel import TokenPanel
    from ui.theme import Theme

_INSPECT_KEY = "inspector/inspect"
_TINT_KEY = "inspector/tint"
# Colours of an answer that streams in follow it at this pace.
_PAUSE_MS = 400
_PAUSE_RATIO = 20
# Colours of many answers come in slices, between which the window answers.
_SLICE_MS = 30
_REST_PAUSE_MS = 30
_SPARE_MAPS = 8


class TokenInspector(QObject):
    """Connects the session's tokens with the words in the view. Main thread only.

    Args:
        session: Is told whether answers shall be inspected.
        theme: Colours and fonts.
        settings: Keeps the switch and the colours.
        view: Where words are clicked.
        window: Gets the shortcuts.
    """

    def __init__(
        self,
        session: ChatSession,
        theme: Theme,
        settings: QSettings,
        view: ConversationView,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._theme = theme
        self._settings = settings
        self._view = view
        self._maps: dict[AnswerWidget, AnswerMap] = {}
        self._panel: TokenPanel | None = None
        self._place: tuple[AnswerMap, TextPart, range] | None = None
        self._stale: set[str] = set()
        self._left: set[str] = set()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._tint_stale)
        self.actions_ = InspectorActions(window)
        self.strip = InspectorStrip(theme, window)
        self.legend = self.strip.legend
        stored = str(settings.value(_TINT_KEY, Tint.NONE.value))
        self._tint = Tint(stored) if stored in [known.value for known in Tint] else Tint.NONE
        self.actions_.inspect.toggled.connect(self._set_inspects)
        self.actions_.inspect.setChecked(settings.value(_INSPECT_KEY, False, type=bool) is True)
        self.actions_.look.triggered.connect(self._look_at_cursor)
        self.actions_.tint_chosen.connect(self.set_tint)
        self.strip.turned_off.connect(lambda: self.actions_.inspect.setChecked(False))
        self.legend.closed.connect(lambda: self.set_tint(Tint.NONE))
        view.answer_made.connect(self._on_answer_made)
        view.verticalScrollBar().rangeChanged.connect(self._keep_panel_up)
        session.answer_changed.connect(self._on_answer_changed)
        session.chat_opened.connect(self._on_chat_opened)
        session.branch_shown.connect(self._on_chat_opened)
        theme.changed.connect(self._tint_all)
        for widget in view.stack.answer_widgets():
            self._on_answer_made(widget)
        self._show_tint()

    @property
    def panel(self) -> TokenPanel | None:
        """Made when it is first needed."""
        return self._panel

    @property
    def tint(self) -> Tint:
        """What answers are coloured by."""
        return self._tint

    def add_to(self, menu: QMenu) -> None:
        """Offer the inspector in a menu."""
        self.actions_.add_to(menu)

    def set_tint(self, tint: Tint) -> None:
        """Colour answers by this, also after a restart."""
        self._tint = tint
        self._settings.setValue(_TINT_KEY, tint.value)
        self._show_tint()
        self._tint_all()

    def look_into(self, widget: AnswerWidget, part: TextPart, position: int) -> None:
        """Open the panel at the word at a position of a part; nowhere, it closes."""
        from app.token_looks import steps_at

        answer_map = self._map_of(widget)
        word = answer_map.word_at(part, position)
        if word is None:
            self._close()
            return
        begin, end = word
        answer = answer_map.answer
        self._show(answer_map, part, steps_at(answer, begin, end), answer.text[begin:end])
        assert self._panel is not None
        self._panel.place_at(self._rect_of(part, position))
        self._panel.setFocus()

    def _set_inspects(self, inspects: bool) -> None:
        self._session.inspects = inspects
        self.strip.show_inspects(inspects)
        if inspects:
            self._show_cost(None)
        self._settings.setValue(_INSPECT_KEY, inspects)

    # The panel.

    def _on_word_clicked(
        self, widget: AnswerWidget, part: TextPart, position: int, *, has_alt: bool
    ) -> None:
        if has_alt or self.actions_.inspect.isChecked():
            self.look_into(widget, part, position)

    def _look_at_cursor(self) -> None:
        part = QApplication.focusWidget()
        for widget in self._view.stack.answer_widgets():
            if isinstance(part, TextPart) and part in widget.text_parts():
                self.look_into(widget, part, part.textCursor().position())
                return
        widgets = self._view.stack.answer_widgets()
        parts = widgets[-1].text_parts() if widgets else []
        if parts:
            # Where no word is meant, the last one is as good as any.
            last = max(0, parts[-1].document().characterCount() - 2)
            self.look_into(widgets[-1], parts[-1], last)

    def _show(self, answer_map: AnswerMap, part: TextPart, steps: range, word: str) -> None:
        from app.token_looks import look_at

        answer = answer_map.answer
        looks = [look for step in steps for look in look_at(answer, step)]
        self._place = answer_map, part, steps
        panel = self._panel or self._make_panel()
        panel.show_looks(word, looks, self._why_unknown(answer, looks))

    def _on_step_wanted(self, n_steps: int) -> None:
        from app.token_looks import text_of_step

        if self._place is None or self._panel is None:
            return
        answer_map, part, steps = self._place
        answer = answer_map.answer
        step = steps.stop - 1 + n_steps if n_steps > 0 else steps.start + n_steps
        if not 0 <= step < len(answer.step_ends):
            return
        self._show(answer_map, part, range(step, step + 1), text_of_step(answer, step))
        self._panel.place_again()

    def _why_unknown(self, answer: Answer, looks: Sequence[TokenLook]) -> str:
        from app.token_looks import has_steps

        if not has_steps(answer):
            return self.tr("Times and probabilities are known for answers of this session only.")
        if not looks:
            return self.tr("Of a continued answer, the tokens since then are known.")
        return self.tr("Probabilities are known for answers that begin while Inspect tokens is on.")

    def _make_panel(self) -> TokenPanel:
        from ui.inspector.panel import TokenPanel

        panel = self._panel = TokenPanel(self._theme, self._view)
        panel.step_wanted.connect(self._on_step_wanted)
        panel.closed.connect(self._on_panel_closed)
        return panel

    def _rect_of(self, part: TextPart, position: int) -> QRect:
        cursor = part.textCursor()
        cursor.setPosition(min(position, part.document().characterCount() - 1))
        place = part.cursorRect(cursor)
        return QRect(part.viewport().mapTo(self._view, place.topLeft()), place.size())

    def _on_panel_closed(self) -> None:
        # What was looked into may be gone: another answer may stand there.
        if self._place is not None and self._place[1] in self._view.text_parts():
            self._place[1].setFocus()
        else:
            self._view.setFocus()
        self._place = None

    def _close(self) -> None:
        if self._panel is not None and self._panel.isVisible():
            self._panel.close_panel()

    def _keep_panel_up(self) -> None:
        if self._panel is not None and self._panel.isVisible():
            self._panel.place_again()

    def _on_chat_opened(self) -> None:
        self._place = None
        if self._panel is not None:
            self._panel.hide()

    # Colours.

    def _show_tint(self) -> None:
        self.legend.show_tint(self._tint)
        self.actions_.show_tint(self._tint)

    def _on_answer_made(self, widget: AnswerWidget) -> None:
        widget.word_clicked.connect(
            lambda part, position, has_alt: self._on_word_clicked(
                widget, part, position, has_alt=has_alt
            )
        )
        if self._tint is not Tint.NONE:
            self._become_stale(widget.answer)

    def _on_answer_changed(self, answer: Answer) -> None:
        if self._tint is not Tint.NONE:
            self._become_stale(answer)
        if not answer.phase.is_over:
            return
        if not any(answer.inspected):
            self._show_cost(None)
            return
        from app.token_looks import watch_share

        self._show_cost(watch_share(answer))

    def _show_cost(self, ratio: float | None) -> None:
        self.actions_.show_cost(ratio)
        self.strip.show_cost(ratio)

    def _become_stale(self, answer: Answer) -> None:
        self._stale.add(answer.turn_id)
        if not self._pause.isActive():
            self._pause.start()

    def _tint_stale(self) -> None:
        begun_s = perf_counter()
        left, stale = self._left, self._left | self._stale
        self._left, self._stale = set(), set()
        widgets = [one for one in self._view.stack.answer_widgets() if one.answer.turn_id in stale]
        # What waited already, so that a long answer that grows does not keep it waiting; then
        # what can be seen.
        widgets.sort(
            key=lambda one: (one.answer.turn_id not in left, one.visibleRegion().isEmpty())
        )
        for number, widget in enumerate(widgets, 1):
            self._tint_widget(widget)
            took_ms = (perf_counter() - begun_s) * 1000
            if took_ms > _SLICE_MS and number < len(widgets):
                self._left = {rest.answer.turn_id for rest in widgets[number:]}
                self._pause.start(_REST_PAUSE_MS)
                return
        # The longer an answer is, the more rarely it is coloured anew.
        took_ms = (perf_counter() - begun_s) * 1000
        self._pause.setInterval(max(_PAUSE_MS, round(took_ms * _PAUSE_RATIO)))

    def _tint_all(self) -> None:
        widgets = self._view.stack.answer_widgets()
        # No colour of before stays beside what the new ones mean.
        for widget in widgets:
            _remove_tint(widget)
        self._pause.stop()
        self._left, self._stale = set(), set()
        if self._tint is not Tint.NONE:
            self._stale = {widget.answer.turn_id for widget in widgets}
            self._tint_stale()

    def _tint_widget(self, widget: AnswerWidget) -> None:
        from app.token_looks import has_steps, levels_of
        from ui.inspector.tints import PartTint

        if not has_steps(widget.answer):
            _remove_tint(widget)
            return
        levels = levels_of(widget.answer, self._tint)
        colors = level_colors(self._theme)
        answer_map = self._map_of(widget)
        # The last one is for what is nowhere, at place -1.
        levels += bytes(len(widget.answer.text) - len(levels) + 1)
        for part, places in answer_map.parts():
            of_part = bytes(map(levels.__getitem__, places))
            part.underlay = PartTint(part, of_part, colors).paint
            part.viewport().update()
        if widget.is_behind:
            # The rest of a long answer is shown later.
            self._become_stale(widget.answer)

    def _map_of(self, widget: AnswerWidget) -> AnswerMap:
        from ui.inspector.answer_map import AnswerMap

        widgets = self._view.stack.answer_widgets()
        if len(self._maps) > len(widgets) + _SPARE_MAPS:
            self._maps = {known: self._maps[known] for known in widgets if known in self._maps}
        if widget not in self._maps:
            self._maps[widget] = AnswerMap(widget)
        return self._maps[widget]


def _remove_tint(widget: AnswerWidget) -> None:
    for shown in widget.parts:
        part = shown if isinstance(shown, TextPart) else shown.body
        if part.underlay is not None:
            part.underlay = None
            part.viewport().update()
