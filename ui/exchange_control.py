"""Exports and imports what is asked for in the menu, and shows how far an import is."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.session import ChatSession
from app.transcript import Conversation
from ui.import_strip import ImportStrip
from ui.window_actions import WindowActions


class ExchangeControl(QObject):
    """Connects the menu and the strip with the library, and asks for files."""

    def __init__(self, session: ChatSession, actions: WindowActions, strip: ImportStrip) -> None:
        """Be owned by `strip`."""
        super().__init__(strip)
        self._library = session.library
        self._actions = actions
        self._strip = strip
        actions.export_chat.triggered.connect(lambda: self._export(session.current_chat))
        actions.export_all.triggered.connect(lambda: self._export(None))
        actions.import_chats.triggered.connect(self._import)
        strip.cancel_requested.connect(self._library.exchange.imports.cancel)
        self._library.exchange.imports.changed.connect(self._show_import)

    def export_what_is_here(self, then: Callable[[], object]) -> None:
        """Ask for a file and write what is in memory; call `then` once it is written."""
        from ui.dialogs import choose_export_file

        path = choose_export_file(self._strip.window())
        if path is not None:
            from app.store.in_memory import ChatsInMemory
            from ui.export.page import html_page

            here = ChatsInMemory(self._library.chats, self._library.folders.records)
            if self._library.exchange.export_now(path, html_page, here).error is None:
                then()

    def _export(self, chat: Conversation | None) -> None:
        from ui.dialogs import choose_export_file

        path = choose_export_file(self._strip.window(), chat.title if chat is not None else "")
        if path is not None:
            from ui.export.page import html_page

            self._library.export(path, chat, html_page)

    def _import(self) -> None:
        from ui.dialogs import choose_import_file

        path = choose_import_file(self._strip.window())
        if path is not None:
            self._library.import_file(path)

    def _show_import(self, path: str, fraction: float | None) -> None:
        self._strip.show_progress(path, fraction)
        self._actions.import_chats.setEnabled(fraction is None)
