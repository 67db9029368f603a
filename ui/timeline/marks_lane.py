"""The lane of events: a sign where something happened, and its name where there is room."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from app.marks import Mark
from app.telemetry import TelemetryStore
from ui.timeline.lane import Lane, Scene, translate
from ui.timeline.wording import DOT, MARK_COLORS, mark_name, mark_sentence

_SIGN_PX = 4.5
_TOGETHER_PX = 9.0
_LINE_ALPHA = 110
_MOST_LINES = 40
_LEAST_ROOM_PX = 40.0
NEAR_PX = 5.0
_DIAMOND = QPolygonF(
    [QPointF(0, -_SIGN_PX), QPointF(_SIGN_PX, 0), QPointF(0, _SIGN_PX), QPointF(-_SIGN_PX, 0)]
)


class MarksLane(Lane):
    """Cache reuse, what was left out, stops, and what disturbed the machine."""

    weight = 0.55

    def title(self) -> str:
        """Its name."""
        return translate("Timeline", "Events")

    def sentence(self) -> str:
        """What it shows."""
        return translate("Timeline", "What happened at a single moment.")

    def paint(self, painter: QPainter, scene: Scene) -> None:
        """Draw the marks in view; those that would cover each other as one."""
        area, theme = scene.area, scene.theme
        painter.setFont(theme.font("caption"))
        middle = area.center().y()
        groups = self.groups(scene)
        metrics = painter.fontMetrics()
        if not groups:
            painter.setPen(theme.color("muted"))
            words = translate("Timeline", "Nothing in view")
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        colors = {kind: theme.color(name) for kind, name in MARK_COLORS.items()}
        for x, marks in groups:
            painter.setBrush(colors[marks[0].kind])
            painter.drawPolygon(_DIAMOND.translated(x, middle))
        painter.setPen(theme.color("muted"))
        taken = area.left()
        for index, (x, marks) in enumerate(groups):
            room = groups[index + 1][0] if index + 1 < len(groups) else area.right()
            if max(room - x, x - taken) < _LEAST_ROOM_PX:
                taken = x + _SIGN_PX
                continue
            names = list(dict.fromkeys(mark_name(mark.kind) for mark in marks))
            left = x + _SIGN_PX + 4
            text = ", ".join(names)
            width = metrics.horizontalAdvance(text) + 6.0
            if len(names) > 1 and left + width > room:
                text = f"{names[0]} +{len(names) - 1}"
                width = metrics.horizontalAdvance(text) + 6.0
            if left + width > room:
                left = x - _SIGN_PX - 2 - width
            if left >= taken and left + width <= area.right():
                box = QRectF(left, area.top(), width, area.height())
                flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(box, flags, text)
                taken = max(x + _SIGN_PX, left + width)
            else:
                taken = x + _SIGN_PX

    def paint_lines(self, painter: QPainter, scene: Scene, bottom: float) -> None:
        """Lead the eye from the marks down through the other lanes; not from a thicket of them."""
        top, groups = int(scene.area.bottom()), self.groups(scene)
        for x, marks in groups if len(groups) <= _MOST_LINES else []:
            color = scene.theme.color(MARK_COLORS[marks[0].kind])
            color.setAlpha(_LINE_ALPHA)
            painter.fillRect(int(x), top, 1, int(bottom) + 1 - top, color)

    def groups(self, scene: Scene) -> list[tuple[float, list[Mark]]]:
        """The marks in view by where they stand, those close to each other together."""
        t0_ns, t1_ns = scene.store.to_ns(scene.t0_s), scene.store.to_ns(scene.t1_s)
        left, px_per_ns = scene.area.left(), scene.area.width() / max(1, t1_ns - t0_ns)
        found: list[tuple[float, list[Mark]]] = []
        for mark in scene.store.marks.between(t0_ns, t1_ns):
            x = left + (mark.t_ns - t0_ns) * px_per_ns
            if found and x - found[-1][0] < _TOGETHER_PX:
                found[-1][1].append(mark)
            else:
                found.append((x, [mark]))
        return found

    def near(self, scene: Scene, t_s: float) -> list[Mark]:
        """The marks at a moment, as near as a pointer can be."""
        reach_s = NEAR_PX / scene.area.width() * (scene.t1_s - scene.t0_s)
        store = scene.store
        return store.marks.between(store.to_ns(t_s - reach_s), store.to_ns(t_s + reach_s))

    def text_at(self, _store: TelemetryStore, _t_s: float) -> str:
        """Said by `near`, which knows how near the pointer is."""
        return ""


def text_of(marks: list[Mark]) -> str:
    """What happened, in whole words."""
    return DOT.join(mark_sentence(mark) for mark in marks[:3])
