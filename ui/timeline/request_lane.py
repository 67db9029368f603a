"""The lane of requests: each stretch from the send to the last token, on the axis of time."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.phases import Phase
from app.telemetry import TelemetryStore
from app.timeline.moment import way_to_screen_s
from app.timeline.stretches import Stage, Stretch, stretches_of
from app.turns import Turn
from ui.format import format_count
from ui.panels.explain.legend import Entry
from ui.timeline.lane import Lane, Scene, kv_entry, translate
from ui.timeline.wording import STAGE_COLORS, chunk_name, stage_name

_LABEL_PX = 15.0
_LOAD_PX = 7.0
_LEAST_PX = 1.0
# Narrower than this a request is one block: its stretches could not be told apart.
_WHOLE_BELOW_PX = 4.0
_TEXT_PAD = 10.0
_SEPARATED_FROM_PX = 5.0
_DARK_BELOW = 0.42


class RequestLane(Lane):
    """Queue, template, tokenizer, search of the cache, prefill by chunks, decode; loads below."""

    weight = 1.35

    def __init__(self, *, has_numbers: bool = True) -> None:
        """`has_numbers`: write which answer each is."""
        self._has_numbers = has_numbers

    def title(self) -> str:
        """Its name."""
        return translate("Timeline", "Request")

    def sentence(self) -> str:
        """What it shows."""
        return translate(
            "Timeline",
            "What the time went into. Prefill climbs to the whole prompt: green was in the "
            "cache already, each orange block is a chunk that was computed. Grey below: the "
            "first text on its way to the screen.",
        )

    def legend(self, store: TelemetryStore) -> list[Entry]:
        """Each stage that any request went through."""
        traces = [turn.trace for turn in store.turns]
        loads = {span.phase for span in store.phases.loads}
        is_apart = any(trace.t_rendered_ns is not None for trace in traces)
        is_ready = any(trace.t_prompt_ready_ns is not None for trace in traces)
        has = {
            Stage.QUEUE: bool(traces),
            Stage.LOAD: Phase.LOAD in loads,
            Stage.COMPILE: Phase.COMPILE in loads,
            Stage.PREPARE: is_ready and not is_apart,
            Stage.TEMPLATE: is_apart,
            Stage.TOKENIZE: is_apart,
            Stage.LOOKUP: is_apart,
            Stage.PREFILL: is_ready,
            Stage.DECODE: any(trace.t_first_ns is not None for trace in traces),
        }
        names = {stage: stage_name(stage) for stage in has}
        # The grey below the bar is a wait as well.
        names[Stage.QUEUE] = translate("Timeline", "waiting")
        found = [Entry(color=STAGE_COLORS[each], text=names[each]) for each in has if has[each]]
        if any(trace.n_cached_tokens for trace in traces):
            found.append(kv_entry())
        return found

    def paint(self, painter: QPainter, scene: Scene) -> None:
        """Draw the requests in view, and the loads under them."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.save()
        painter.setClipRect(scene.area)
        self._paint_loads(painter, scene)
        store, label_right, bar = scene.store, scene.area.left(), self._bar(scene)
        t0_ns, t1_ns = store.to_ns(scene.t0_s), store.to_ns(scene.t1_s)
        until_ns = store.to_ns(scene.until_s)
        for number, turn in enumerate(store.turns, 1):
            end_ns = turn.t_end_ns
            if turn.t_submit_ns <= t1_ns and (until_ns if end_ns is None else end_ns) >= t0_ns:
                begin_s = store.to_s(turn.t_submit_ns)
                end_s = scene.until_s if end_ns is None else store.to_s(end_ns)
                left, right = _edges(scene, begin_s, end_s)
                _paint_turn(painter, scene, bar, turn, left, right)
                label_left = max(left, scene.area.left())
                if self._has_numbers and label_left >= label_right:
                    label_right = _paint_number(painter, scene, number, label_left)
        painter.restore()

    def text_at(self, _store: TelemetryStore, _t_s: float) -> str:
        """Said with the moment."""
        return ""

    def _paint_loads(self, painter: QPainter, scene: Scene) -> None:
        top = scene.area.bottom() - _LOAD_PX
        for span in scene.store.phases.loads:
            end_s = scene.until_s if span.t1_s is None else span.t1_s
            if end_s > span.t0_s and end_s >= scene.t0_s and span.t0_s <= scene.t1_s:
                stage = Stage.COMPILE if span.phase is Phase.COMPILE else Stage.LOAD
                left, right = _edges(scene, span.t0_s, end_s)
                color = scene.theme.color(STAGE_COLORS[stage])
                painter.fillRect(QRectF(left, top, right - left, _LOAD_PX), color)

    def _bar(self, scene: Scene) -> QRectF:
        above = _LABEL_PX if self._has_numbers else 0.0
        return scene.area.adjusted(0, above, 0, -_LOAD_PX - 3)


def _paint_turn(
    painter: QPainter, scene: Scene, bar: QRectF, turn: Turn, left: float, right: float
) -> None:
    if right - left < _WHOLE_BELOW_PX:
        has_decoded = turn.trace.t_first_ns is not None
        stage = Stage.DECODE if has_decoded else Stage.PREFILL
        rect = QRectF(left, bar.top(), right - left, bar.height())
        painter.fillRect(rect, scene.theme.color(STAGE_COLORS[stage]))
        return
    for index, stretch in enumerate(stretches_of(turn.trace)):
        t1_ns = stretch.t1_ns
        t1_s = scene.until_s if t1_ns is None else scene.store.to_s(t1_ns)
        t0_s = scene.store.to_s(stretch.t0_ns)
        if t1_s < scene.t0_s or t0_s > scene.t1_s or t1_s <= t0_s:
            continue
        x0, x1 = _edges(scene, t0_s, t1_s)
        rect = QRectF(x0, bar.top(), x1 - x0, bar.height())
        if stretch.stage is Stage.PREFILL:
            _paint_chunk(painter, scene, rect, stretch, turn, is_even=index % 2 == 0)
        else:
            color = scene.theme.color(STAGE_COLORS[stretch.stage])
            painter.fillRect(rect, color)
            if rect.width() > _TEXT_PAD:
                _paint_words(painter, scene, rect, stage_name(stretch.stage), on=color)
    way_s = way_to_screen_s(scene.store, turn)
    if way_s is not None:
        left, right = _edges(scene, *way_s)
        way = QRectF(left, bar.bottom() + 3, right - left, _LOAD_PX)
        painter.fillRect(way, scene.theme.color("phase_waiting"))


def _edges(scene: Scene, t0_s: float, t1_s: float) -> tuple[float, float]:
    """Left and right in view, a pixel apart at least."""
    left = max(scene.x(t0_s), scene.area.left() - 2)
    right = min(scene.x(t1_s), scene.area.right() + 2)
    return left, max(right, left + _LEAST_PX)


def _paint_chunk(
    painter: QPainter,
    scene: Scene,
    rect: QRectF,
    stretch: Stretch,
    turn: Turn,
    *,
    is_even: bool,
) -> None:
    """A step of the stairs from what was in the cache to the whole prompt."""
    fresh = scene.theme.color("phase_prefill")
    ghost = QColor(fresh)
    ghost.setAlpha(50)
    painter.fillRect(rect, ghost)
    n_before, n_tokens = stretch.n_before or 0, stretch.n_tokens or 0
    n_prompt, n_cached = turn.n_prompt_tokens or 1, turn.trace.n_cached_tokens or 0
    done = _slice(rect, 0, (n_before + n_tokens) / n_prompt)
    painter.fillRect(done, fresh.darker(112) if is_even else fresh)
    painter.fillRect(_slice(rect, 0, n_cached / n_prompt), scene.theme.color("phase_cached"))
    if rect.width() >= _SEPARATED_FROM_PX:
        painter.fillRect(
            QRectF(rect.right() - 1, rect.top(), 1, rect.height()), scene.theme.color("panel")
        )
    if rect.width() > _TEXT_PAD:
        is_high = 2 * (n_before + n_tokens) > n_prompt
        under = fresh if is_high else scene.theme.color("background")
        _paint_words(painter, scene, rect, chunk_name(stretch.n_tokens), on=under)


def _slice(rect: QRectF, lower: float, upper: float) -> QRectF:
    """The part of a rectangle between two shares of its height, counted from below."""
    top = rect.bottom() - upper * rect.height()
    return QRectF(rect.left(), top, rect.width(), (upper - lower) * rect.height())


def _paint_words(painter: QPainter, scene: Scene, rect: QRectF, text: str, *, on: QColor) -> None:
    seen = rect.intersected(scene.area)
    painter.setFont(scene.theme.font("caption"))
    if painter.fontMetrics().horizontalAdvance(text) + _TEXT_PAD <= seen.width():
        is_dark = on.lightnessF() < _DARK_BELOW
        painter.setPen(scene.theme.color("on_dark_phase" if is_dark else "on_phase"))
        painter.drawText(seen, Qt.AlignmentFlag.AlignCenter, text)


def _paint_number(painter: QPainter, scene: Scene, number: int, left: float) -> float:
    """The number of an answer above its begin, where there is room; returns where that ends."""
    text = translate("Timeline", "Answer {n}").format(n=format_count(number))
    painter.setFont(scene.theme.font("caption"))
    right = left + painter.fontMetrics().horizontalAdvance(text) + 10
    if right > scene.area.right() + 10:
        return left
    painter.setPen(scene.theme.color("muted"))
    box = QRectF(left, scene.area.top() - 2, right - left, _LABEL_PX)
    painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
    return right
