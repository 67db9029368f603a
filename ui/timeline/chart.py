"""The picture of the timeline: all lanes on one axis, and what moves along it."""

from enum import StrEnum

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.telemetry import TelemetryStore
from app.timeline.bounds import begin_s, known_s, shown_between, until_s, zero_s
from app.timeline.moment import next_step_s, turn_at
from ui.panels.time_axis import TimeAxis
from ui.panels.wheel import ZOOM_PER_NOTCH, turn_wheel
from ui.theme import Theme
from ui.timeline.backdrop import GUTTER_PX, RIGHT_PX, RULER_PX, Backdrop, lane_spans, paint_chip
from ui.timeline.cursors import CursorName, Cursors
from ui.timeline.lane import Lane, Scene
from ui.timeline.marks_lane import MarksLane

_FRAME_MS = 250
_LEAST_LANE_PX = 66
_KEY_PAN = 0.1
_KEY_HOVER = 0.02
_CLICK_PX = 3
_SHORTEST_S = 20e-6
_AROUND = 0.015


class Follow(StrEnum):
    """What is in view as long as nobody zooms or pans."""

    ANSWER = "answer"
    ALL = "all"


class TimelineChart(QWidget):
    """Lanes of one telemetry store. Main thread only.

    The wheel: see `turn_wheel`. Dragging pans, a click sets cursor A, with Shift cursor B, a
    cursor can be dragged, a double click shows the whole answer. Keys: left and right pan, with
    Shift they move the line, with Ctrl from step to step; plus and minus zoom; Page Up and Page
    Down go to the answer before and after; Home shows all, End the last answer; A and B set the
    cursors at the line; Delete takes them away.

    Signals:
        moved(): The line moved, or what is known of where it stands has changed.
    """

    moved = Signal()

    def __init__(
        self,
        store: TelemetryStore,
        theme: Theme,
        lanes: tuple[Lane, ...],
        parent: QWidget | None = None,
    ) -> None:
        """Follow the last answer of `store`, in `lanes`, of which some may have their own store."""
        super().__init__(parent)
        self.store = store
        self._theme = theme
        self.axis = TimeAxis(
            self,
            shortest_s=_SHORTEST_S,
            known_s=self._known_s,
            zero_of=lambda t0_s, t1_s: zero_s(store, t0_s, t1_s),
        )
        self.cursors = Cursors(self)
        self.lanes = lanes
        own = tuple(lane.store for lane in lanes if lane.store is not None)
        self._stores: tuple[TelemetryStore, ...] = own or (store,)
        self._follows = Follow.ANSWER
        self._base = QPixmap()
        self._is_base_stale = True
        self._base_shows: tuple[object, ...] = ()
        self._backdrop = Backdrop(self)
        self._spans: dict[Lane, tuple[float, float]] = {}
        self._spans_are_of = -1
        self._press: QPointF | None = None
        self._drag_x: float | None = None
        self._held: CursorName | None = None
        self._before_click: float | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._on_frame)
        self.setAccessibleName(self.tr("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(640, max(420, RULER_PX + len(lanes) * _LEAST_LANE_PX))
        store.changed.connect(self._on_changed)
        self.axis.view_changed.connect(self.redraw)
        self.axis.hover_changed.connect(self._on_hover_changed)
        self.cursors.changed.connect(self._on_hover_changed)
        theme.changed.connect(self.redraw)
        self._refollow()

    @property
    def until_s(self) -> float:
        """Until when anything is known: now while something runs, else the last that was said."""
        return max(map(until_s, self._stores))

    @property
    def has_several_runs(self) -> bool:
        """Whether each lane is another run."""
        return len(self._stores) > 1

    @property
    def marks(self) -> MarksLane | None:
        """The lane of events, where there is one."""
        return next((lane for lane in self.lanes if isinstance(lane, MarksLane)), None)

    @property
    def follows(self) -> Follow:
        """What is in view as long as nobody zooms or pans."""
        return self._follows

    def follow(self, what: Follow) -> None:
        """Show all of the last answer, or all there is, also when more comes."""
        self._follows = what
        self._refollow()
        if self.axis.is_following:
            self.redraw()
        else:
            self.axis.follow()

    def show_answer(self, step: int) -> None:
        """Show the answer before (-1) or after (1) the one in view."""
        turns = self.store.turns
        if not turns:
            return
        t0_s, t1_s = self.axis.view_s
        middle_ns = self.store.to_ns((t0_s + t1_s) / 2)
        begun = sum(turn.t_submit_ns <= middle_ns for turn in turns)
        self.show_turn(min(max(begun - 1 + step, 0), len(turns) - 1))

    def show_turn(self, index: int) -> None:
        """Show all of an answer, counted from 0."""
        turn = self.store.turns[index]
        t0_s = self.store.to_s(turn.t_submit_ns)
        t1_s = self.until_s if turn.t_end_ns is None else self.store.to_s(turn.t_end_ns)
        margin_s = max((t1_s - t0_s) * _AROUND, _SHORTEST_S)
        self.axis.look_at(t0_s - margin_s, t1_s + margin_s)

    def zoom(self, notches: float) -> None:
        """Zoom in (or out) around the line, or the middle."""
        self.axis.zoom(ZOOM_PER_NOTCH**notches, self._here_s())

    def set_cursor(self, name: CursorName) -> None:
        """Put a cursor where the line stands, or in the middle."""
        self.cursors.set(name, self._here_s())

    def redraw(self) -> None:
        """Draw all of it again."""
        self._is_base_stale = True
        self.update()
        self.moved.emit()

    def scene(self, lane: Lane | None = None) -> Scene:
        """What a lane draws with; of None, all of them from top to bottom."""
        top, bottom = float(RULER_PX), float(self.height() - 4)
        if lane is not None:
            if self._spans_are_of != self.height():
                self._spans_are_of = self.height()
                spans = lane_spans(self.lanes, float(RULER_PX), self.height())
                self._spans = dict(zip(self.lanes, spans, strict=True))
            top, bottom = self._spans[lane]
        t0_s, t1_s = self.axis.view_s
        width = max(1, self.width() - GUTTER_PX - RIGHT_PX)
        return Scene(
            store=self.store if lane is None or lane.store is None else lane.store,
            theme=self._theme,
            area=QRectF(GUTTER_PX, top, width, max(1.0, bottom - top)),
            t0_s=t0_s,
            t1_s=t1_s,
            until_s=self.until_s,
        )

    # Events.

    def sizeHint(self) -> QSize:
        """Room for every lane and its sentence."""
        return QSize(1180, 560)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the lanes, kept as a picture, and above it the line and the cursors."""
        ratio = self.devicePixelRatioF()
        if self._is_base_stale or self._base.size() != self.size() * ratio:
            self._is_base_stale = False
            if self._base.size() != self.size() * ratio:
                self._base = QPixmap(self.size() * ratio)
                self._base.setDevicePixelRatio(ratio)
            self._base.fill(self._theme.color("background"))
            base_painter = QPainter(self._base)
            self._backdrop.paint(base_painter)
            base_painter.end()
            self._base_shows = shown_between(self.store, *self.axis.view_s)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._base)
        scene = self.scene()
        self.cursors.paint(painter, self._theme, scene)
        hover_s = self.axis.hover_s
        if hover_s is not None and scene.t0_s <= hover_s <= scene.t1_s:
            x = int(scene.x(hover_s))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(QPen(self._theme.color("text"), 1))
            painter.drawLine(x, int(scene.area.top()), x, int(scene.area.bottom()))
            for lane in self.lanes:
                paint_chip(painter, self.scene(lane), x, lane.chip_at(hover_s))
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(QPen(self._theme.color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw again at the new size."""
        super().resizeEvent(event)
        self._is_base_stale = True

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened meanwhile."""
        super().showEvent(event)
        self._on_changed()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody can see it."""
        super().hideEvent(event)
        self._timer.stop()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer or pan, where that is not for what scrolls."""
        turn_wheel(event, self.axis, self._time_at(event.position().x()), self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a cursor, or begin to pan."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._press = event.position()
            self._held = self.cursors.under(self.scene(), event.position().x())
            self._drag_x = None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move what is held, or the line."""
        x = event.position().x()
        if self._held is not None:
            self.cursors.set(self._held, self._time_at(x))
        elif self._press is not None:
            if self._drag_x is None and abs(x - self._press.x()) > _CLICK_PX:
                self._drag_x = self._press.x()
            if self._drag_x is not None:
                self.axis.pan(self._time_at(self._drag_x) - self._time_at(x))
                self._drag_x = x
        scene, hover_s = self.scene(), self.axis.hover_s
        if not scene.area.left() <= x <= scene.area.right():
            self.axis.set_hover(None)
        elif self._drag_x is None or hover_s is None or abs(scene.x(hover_s) - x) >= 0.5:
            # Else what is dragged has taken the line along.
            self.axis.set_hover(self._time_at(x))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press that did not move sets a cursor."""
        x = event.position().x()
        was_click = self._press is not None and self._drag_x is None and self._held is None
        self._press = self._drag_x = self._held = None
        if was_click and x >= self.scene().area.left():
            shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            name = CursorName.B if shifted else CursorName.A
            self._before_click = self.cursors.at(name)
            self.cursors.set(name, self._time_at(x))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole answer under the pointer, else all."""
        # The first click of the two has set a cursor, which nobody wanted.
        self.cursors.set(CursorName.A, self._before_click)
        number, _ = turn_at(self.store, self.store.to_ns(self._time_at(event.position().x())))
        if number is None:
            self.follow(Follow.ALL)
        else:
            self.show_turn(number - 1)

    def leaveEvent(self, event: QEvent) -> None:
        """Take the line away."""
        super().leaveEvent(event)
        self.axis.set_hover(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Everything that a mouse can do."""
        modifiers = event.modifiers()
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right as key:
                direction = -1 if key == Qt.Key.Key_Left else 1
                self._move(direction, modifiers)
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(1)
            case Qt.Key.Key_Minus:
                self.zoom(-1)
            case Qt.Key.Key_Home:
                self.follow(Follow.ALL)
            case Qt.Key.Key_End:
                self.follow(Follow.ANSWER)
            case Qt.Key.Key_PageUp:
                self.show_answer(-1)
            case Qt.Key.Key_PageDown:
                self.show_answer(1)
            case Qt.Key.Key_A:
                self.set_cursor(CursorName.A)
            case Qt.Key.Key_B:
                self.set_cursor(CursorName.B)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.cursors.clear()
            case Qt.Key.Key_Escape if self.cursors.is_any_set:
                self.cursors.clear()
            case _:
                event.ignore()

    # What is behind these.

    def _move(self, direction: int, modifiers: Qt.KeyboardModifier) -> None:
        t0_s, t1_s = self.axis.view_s
        length_s = t1_s - t0_s
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            to_s = next_step_s(self.store, self._here_s(), direction)
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            to_s = self._here_s() + direction * _KEY_HOVER * length_s
        else:
            self.axis.pan(direction * _KEY_PAN * length_s)
            return
        if to_s is not None:
            if not t0_s <= to_s <= t1_s:
                self.axis.look_at(to_s - length_s / 2, to_s + length_s / 2)
            self.axis.set_hover(to_s)

    def _here_s(self) -> float:
        t0_s, t1_s = self.axis.view_s
        hover_s = self.axis.hover_s
        return hover_s if hover_s is not None and t0_s <= hover_s <= t1_s else (t0_s + t1_s) / 2

    def _time_at(self, x: float) -> float:
        scene = self.scene()
        share = (x - scene.area.left()) / scene.area.width()
        return scene.t0_s + share * (scene.t1_s - scene.t0_s)

    def _known_s(self) -> tuple[float, float]:
        known = [known_s(store) for store in self._stores]
        first_s, last_s = min(each for each, _ in known), max(each for _, each in known)
        if self._follows is Follow.ALL:
            # What is followed has its margin, and begins where that does.
            return first_s, last_s
        margin_s = (last_s - first_s) * _AROUND
        return first_s - margin_s, last_s + margin_s

    def _refollow(self) -> None:
        of_all = self._follows is Follow.ALL
        begins = [begin_s(store, of_all=of_all) for store in self._stores]
        end_s = self.until_s
        first_s = min((each for each in begins if each is not None), default=end_s - 60)
        margin_s = (end_s - first_s) * _AROUND
        self.axis.set_followed(first_s - margin_s, end_s + margin_s)

    def _on_changed(self) -> None:
        if not self.isVisible() or self.window().isMinimized():
            return
        if self.store.is_running:
            if not self._timer.isActive():
                self._timer.start()
        elif not self._timer.isActive():
            self._refollow()
            # Samples go on coming when nothing runs, mostly behind what is in view.
            if shown_between(self.store, *self.axis.view_s) == self._base_shows:
                self.moved.emit()
            else:
                self.redraw()

    def _on_frame(self) -> None:
        if not self.store.is_running:
            self._timer.stop()
        if self.window().isMinimized():
            self._timer.stop()
            return
        self._refollow()
        self.redraw()

    def _on_hover_changed(self) -> None:
        self.update()
        self.moved.emit()
