"""The menu of layouts: choose one, keep what is there under a name, and show single panels."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from ui.panels.dock_area import PanelArea
from ui.panels.layout_control import LayoutControl
from ui.panels.layouts import BuiltIn, built_in_name, built_in_tip, own_key, own_name
from ui.panels.panel import LivePanel
from ui.theme import Theme


class LayoutMenu(QObject):
    """Fills menus, of the column and of the window. Main thread."""

    def __init__(
        self, theme: Theme, control: LayoutControl, area: PanelArea, owner: QWidget
    ) -> None:
        """Dialogs belong to `owner`."""
        super().__init__(owner)
        self._theme = theme
        self._control = control
        self._area = area
        self._owner = owner
        self._panel_actions: dict[str, QAction] = {}
        for panel in area.panels:
            action = QAction(panel.title(), self)
            action.setCheckable(True)
            action.toggled.connect(partial(_show, panel))
            self._panel_actions[panel.key] = action

    def panel_actions(self) -> list[QAction]:
        """Checkable actions that show and hide each panel."""
        return [self._update_action(panel) for panel in self._area.panels]

    def fill(self, menu: QMenu) -> None:
        """Add everything to a menu that is about to show."""
        menu.setToolTipsVisible(True)
        self._add_layouts(menu)
        menu.addSeparator()
        shown = menu.addMenu(self.tr("Panels shown"))
        shown.addActions(self.panel_actions())
        self._add(menu, self.tr("Reset the order"), self._area.reset)
        large = self._add(menu, self.tr("Large, with explanations"), None)
        large.setCheckable(True)
        large.setChecked(self._control.is_large)
        large.toggled.connect(self._control.set_large)

    def _add_layouts(self, menu: QMenu) -> None:
        control, store = self._control, self._control.store
        group = QActionGroup(menu)
        names = () if store is None else store.names
        entries = [(each.value, built_in_name(each), built_in_tip(each)) for each in BuiltIn]
        entries += [(own_key(name), name, "") for name in names]
        for key, name, tip in entries:
            action = self._add(menu, _literal(name), partial(control.choose, key))
            action.setToolTip(tip)
            action.setCheckable(True)
            action.setChecked(key == control.current)
            group.addAction(action)
        if store is None:
            return
        self._add(menu, self.tr("Save this layout…"), self._save)
        changed = control.changed_own
        if changed is not None:
            update = self.tr("Save in “{name}”").format(name=_literal(changed))
            self._add(menu, update, partial(control.save_as, changed))
        own = own_name(control.current)
        if own is not None:
            rename = self.tr("Rename “{name}”…").format(name=_literal(own))
            self._add(menu, rename, lambda: self._rename(own))
            delete = self.tr("Delete “{name}”").format(name=_literal(own))
            self._add(menu, delete, lambda: control.delete(own))

    def _add(self, menu: QMenu, text: str, do: Callable[[], None] | None) -> QAction:
        # Menus are filled anew each time, so that they own what is in them.
        action = QAction(text, menu)
        if do is not None:
            action.triggered.connect(lambda _checked=False: do())
        menu.addAction(action)
        return action

    def _save(self) -> None:
        store = self._control.store
        if store is not None:
            title = self.tr("Save this layout")
            self._ask(title, "", store.problem_of_name, self._control.save_as)

    def _rename(self, name: str) -> None:
        store = self._control.store
        if store is not None:
            self._ask(
                self.tr("Rename the layout"),
                name,
                lambda to: store.problem_of_name(to, name),
                lambda to: self._control.rename(name, to),
            )

    def _ask(
        self,
        title: str,
        name: str,
        problem_of: Callable[[str], str | None],
        keep: Callable[[str], None],
    ) -> None:
        from ui.name_dialog import NameDialog

        dialog = NameDialog(self._theme, title, name, problem_of, self._owner.window())
        dialog.named.connect(keep)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _update_action(self, panel: LivePanel) -> QAction:
        action = self._panel_actions[panel.key]
        absence = panel.absence()
        text = self.tr("{panel}: {reason}").format(panel=panel.title(), reason=absence)
        action.setText(text if absence else panel.title())
        action.setEnabled(not absence)
        action.setChecked(not panel.isHidden())
        return action


def _show(panel: LivePanel, shown: bool) -> None:
    if shown == panel.isHidden():
        panel.setVisible(shown)


def _literal(name: str) -> str:
    """A name in a menu, where an ampersand would mark a key."""
    return name.replace("&", "&&")
