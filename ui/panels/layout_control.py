"""Which layout the panels of one column stand in: chosen, kept under a name, recognised again."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.layouts import LAYOUTS_KEY, Arrangement, LayoutProblem, LayoutStore
from ui.panels.dock_area import PanelArea
from ui.panels.layouts import BuiltIn, built_in_name, own_key, own_name
from ui.panels.look import LARGE, USUAL
from ui.panels.panel import LivePanel


class LayoutControl(QObject):
    """Chooses layouts, and says which one is there. Main thread.

    Signals:
        chosen(): Panels were shown, hidden and placed anew.
        changed(): It is another layout now, or it has another name.
        refused(LayoutProblem): An own layout was chosen that cannot be used; nothing changed.
    """

    chosen = Signal()
    changed = Signal()
    refused = Signal(object)

    def __init__(
        self,
        area: PanelArea,
        panels: Sequence[LivePanel],
        store: LayoutStore | None,
        parent: QObject,
    ) -> None:
        """Show the essential panels; without a `store` there are no layouts of one's own."""
        super().__init__(parent)
        self._area = area
        self._panels = panels
        self.store = store
        self._current = self._last_chosen = ""
        self._is_large = False
        self._is_choosing = False
        area.layout_changed.connect(self._on_moved)
        self.choose(BuiltIn.ESSENTIAL)

    @property
    def current(self) -> str:
        """The key of the layout that is there, empty where it is none with a name."""
        return self._current

    @property
    def is_large(self) -> bool:
        """Whether panels are large and explained."""
        return self._is_large

    @property
    def current_name(self) -> str:
        """For people."""
        own = own_name(self._current)
        if own is not None:
            return own
        return built_in_name(BuiltIn(self._current)) if self._current else self.tr("My choice")

    @property
    def changed_own(self) -> str | None:
        """The own layout that was chosen and is there no longer as it was kept, if any."""
        name = own_name(self._last_chosen)
        if name is None or self.store is None or self.store.get(name) is None:
            return None
        return name if self._current != self._last_chosen else None

    def choose(self, key: str) -> None:
        """Let the panels stand as the layout has them."""
        own = own_name(key)
        if own is None:
            self._is_choosing = True
            self._area.reset()
            self._is_choosing = False
            self._show(BuiltIn(key))
        else:
            kept = None if self.store is None else self.store.get(own)
            if kept is None:
                return
            if not self._take(kept, key):
                problem = LayoutProblem(name=own, stranger="", kept_as=LAYOUTS_KEY)
                self.refused.emit(problem)
                return
        self.chosen.emit()

    def refit(self) -> None:
        """The machine has other panels now, as a GPU came or went: show what the layout has."""
        if self._current and own_name(self._current) is None:
            self._show(BuiltIn(self._current))

    def arrangement(self) -> Arrangement:
        """How the panels stand now."""
        return self._area.save(is_large=self._is_large, layout=self._current)

    def restore(self, arrangement: Arrangement) -> bool:
        """Let the panels stand as they did. False, and nothing changed, when Qt refuses."""
        return self._take(arrangement, arrangement.layout)

    def put_back(self, arrangement: Arrangement) -> None:
        """Let the panels stand as they did a moment ago; the layout is the same."""
        self._is_choosing = True
        self._area.restore(arrangement)
        self._is_choosing = False

    def save_as(self, name: str) -> None:
        """Keep what is there under a name that has no problem."""
        if self.store is not None:
            self._current = self._last_chosen = own_key(name)
            self.store.save(name, self.arrangement())
            self.changed.emit()

    def rename(self, name: str, to: str) -> None:
        """Give a layout another name that has no problem."""
        if self.store is not None:
            self.store.rename(name, to)
            before, after = own_key(name), own_key(to)
            self._current = after if self._current == before else self._current
            self._last_chosen = after if self._last_chosen == before else self._last_chosen
            self.changed.emit()

    def delete(self, name: str) -> None:
        """Forget a layout; what is on screen stays."""
        if self.store is not None:
            self.store.delete(name)
            self._recognise()

    def set_large(self, is_large: bool) -> None:
        """Draw the panels large and explained, or as usual."""
        self._size(is_large)
        self._recognise()

    def _take(self, arrangement: Arrangement, key: str) -> bool:
        is_built_in = own_name(key) is None and self._is_known(key)
        self._is_choosing = True
        taken = self._area.restore(arrangement)
        if taken:
            self._size(arrangement.is_large)
            if is_built_in:
                # Whether there is a GPU may not be known yet; a new version may have new panels.
                shown = self._shown_by(BuiltIn(key), although=arrangement.shown)
                self._area.show_only(shown)
        self._is_choosing = False
        if not taken:
            return False
        self._current = self._last_chosen = key if self._is_known(key) else ""
        if is_built_in:
            self.changed.emit()
        else:
            self._recognise()
        return True

    def _show(self, layout: BuiltIn) -> None:
        self._is_choosing = True
        self._area.show_only(self._shown_by(layout))
        self._size(layout.is_large)
        self._is_choosing = False
        self._area.share_evenly()
        self._current = self._last_chosen = layout.value
        self.changed.emit()

    def _size(self, is_large: bool) -> None:
        if is_large != self._is_large:
            self._is_large = is_large
            for panel in self._panels:
                panel.set_look(LARGE if is_large else USUAL)

    def _shown_by(self, layout: BuiltIn, although: tuple[str, ...] = ()) -> list[str]:
        """What it has, as far as this machine has it, and `although` it may not."""
        return [
            panel.key
            for panel in self._panels
            if (layout is BuiltIn.ALL or layout in panel.layouts)
            and (panel.key in although or not panel.absence())
        ]

    def _is_known(self, key: str) -> bool:
        own = own_name(key)
        if own is None:
            return key in {each.value for each in BuiltIn}
        return self.store is not None and self.store.get(own) is not None

    def _on_moved(self) -> None:
        if not self._is_choosing:
            self._recognise()

    def _recognise(self) -> None:
        """Say which layout this is: the one chosen last where it may still be, else any."""
        built_in = [each.value for each in BuiltIn]
        own = [] if self.store is None else [own_key(name) for name in self.store.names]
        candidates = [self._last_chosen, self._current, *built_in, *own]
        self._current = next((key for key in candidates if key and self._is_there(key)), "")
        self.changed.emit()

    def _is_there(self, key: str) -> bool:
        own = own_name(key)
        if own is not None:
            kept = None if self.store is None else self.store.get(own)
            return kept is not None and self.arrangement().is_like(kept)
        layout = BuiltIn(key)
        shown = set(self._area.shown())
        return layout.is_large == self._is_large and shown == set(self._shown_by(layout))
