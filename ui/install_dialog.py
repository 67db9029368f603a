"""Asks whether to install torch, shows how far it is, and says what came of it."""

from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.actions import Action
from app.messages import UserMessage
from app.torch_install import InstallProgress, InstallStage, TorchInstall
from ui.copy_button import CopyButton
from ui.format import format_bytes
from ui.labels import PlainLabel
from ui.message_card import MessageCard
from ui.theme import Theme
from ui.thin_bar import ThinBar

_WIDTH = 540
_TICK_MS = 1_000


class InstallDialog(QDialog):
    """Installs torch when the person says so. The window can be used meanwhile.

    Leaving it stops the install.

    Signals:
        installed(): torch is there now; the dialog has closed.
    """

    installed = Signal()

    def __init__(self, theme: Theme, install: TorchInstall, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._install = install
        self._is_leaving = False
        self._card: MessageCard | None = None
        self._progress = InstallProgress(stage=InstallStage.PREPARE)
        self._stage_began_s = 0.0
        self.setWindowTitle(self.tr("Install PyTorch"))
        self.setAccessibleName(self.windowTitle())
        self.setFixedWidth(_WIDTH)
        self.question = self._make_question()
        self.running = self._make_running()
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._show_progress)
        self.install_button = self._button(self.tr("Install"), self._begin)
        self.install_button.setProperty("look", "primary")
        self.close_button = self._button(self.tr("Not now"), self.reject)
        self.cancel_button = self._button(self.tr("Cancel"), self.reject)
        self._lay_out()
        install.progressed.connect(self._on_progress)
        install.installed.connect(self._on_installed)
        install.cancelled.connect(self._on_cancelled)
        install.failed.connect(self._on_failed)
        if install.is_running:
            self._show_running()
        else:
            self._show_question()

    def reject(self) -> None:
        """Close; while it installs, stop that first and close when it has stopped."""
        if self._install.is_running and not self._is_leaving:
            self._install.cancel()
            self._show_progress()
        else:
            self._tick.stop()
            super().reject()

    def showEvent(self, event: QShowEvent) -> None:
        """Fit what is shown: its style is known only now."""
        super().showEvent(event)
        self._fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Go at once; the install ends behind it."""
        self._is_leaving = True
        self._install.cancel()
        super().closeEvent(event)

    def _make_question(self) -> QWidget:
        install = self._install
        folder = str(install.environment)
        if install.can_install:
            text = self.tr(
                "This downloads PyTorch and what it needs, and installs it into {folder}. That "
                "is about 0.4 GB without CUDA, and several GB where CUDA comes with it. You can "
                "go on chatting meanwhile, and stop it at any time."
            )
            same = self.tr("Or do the same in a terminal, in {folder}:")
        else:
            text = self.tr(
                "Oscillama runs in an environment that it did not make ({folder}), so it leaves "
                "the install to you. It is about 0.4 GB without CUDA, and several GB with it."
            )
            same = self.tr("Type this in a terminal, then load the model again:")
        question = QWidget(self)
        layout = QVBoxLayout(question)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(PlainLabel(self._theme, text.replace("{folder}", folder), wrap=True))
        layout.addSpacing(8)
        same = same.replace("{folder}", str(install.command_folder))
        layout.addWidget(PlainLabel(self._theme, same, font="secondary", color="muted", wrap=True))
        self.command = QLineEdit(install.command, question)
        self.command.setReadOnly(True)
        self.command.setProperty("look", "log")
        self.command.setFont(self._theme.font("code"))
        self.command.setCursorPosition(0)
        self.command.setAccessibleName(self.tr("Command that installs PyTorch"))
        self.copy_button = CopyButton(
            self._theme, self.command.text, self.tr("Copy the command"), question
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.command, 1)
        row.addWidget(self.copy_button)
        layout.addLayout(row)
        return question

    def _make_running(self) -> QWidget:
        running = QWidget(self)
        self.stage_label = PlainLabel(self._theme)
        self.amount_label = PlainLabel(self._theme, font="secondary", color="muted")
        self.bar = ThinBar(self._theme, "accent", running)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName(self.tr("Install progress"))
        head = QHBoxLayout()
        head.addWidget(self.stage_label, 1)
        head.addWidget(self.amount_label)
        layout = QVBoxLayout(running)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addLayout(head)
        layout.addWidget(self.bar)
        return running

    def _button(self, text: str, pressed: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.clicked.connect(pressed)
        return button

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for button in (self.close_button, self.cancel_button, self.install_button):
            buttons.addWidget(button)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(24, 22, 24, 16)
        self._layout.setSpacing(18)
        self._layout.addWidget(PlainLabel(self._theme, self.windowTitle(), font="brand"))
        self._layout.addWidget(self.question)
        self._layout.addWidget(self.running)
        self._layout.addLayout(buttons)

    def _begin(self) -> None:
        self._progress = InstallProgress(stage=InstallStage.PREPARE)
        self._install.start()
        # One that cannot be started has failed already.
        if self._install.is_running:
            self._show_running()

    def _show_question(self) -> None:
        can_install = self._install.can_install
        self._show_parts(self.question)
        self.install_button.setVisible(can_install)
        self.close_button.setText(self.tr("Not now") if can_install else self.tr("Close"))
        self.close_button.setAccessibleName(self.close_button.text())
        first = self.install_button if can_install else self.copy_button
        self.install_button.setDefault(can_install)
        first.setFocus()

    def _show_running(self) -> None:
        self._stage_began_s = monotonic()
        self._show_parts(self.running)
        self._tick.start()
        self._show_progress()
        self.cancel_button.setFocus()

    def _show_failure(self, message: UserMessage) -> None:
        card = MessageCard(self._theme, message, self)
        card.action_requested.connect(self._on_action)
        card.height_changed.connect(self._fit)
        self._card = card
        self._layout.insertWidget(self._layout.count() - 1, card)
        self._show_parts(card)
        self.close_button.setText(self.tr("Close"))
        self.close_button.setAccessibleName(self.close_button.text())
        card.focus_stops()[0].setFocus()

    def _show_parts(self, part: QWidget) -> None:
        """Show one part of the dialog, and the buttons that go with it."""
        self._tick.stop()
        if self._card is not None and self._card is not part:
            self._layout.removeWidget(self._card)
            self._card.hide()
            self._card.deleteLater()
            self._card = None
        for other in (self.question, self.running):
            other.setVisible(other is part)
        part.show()
        self.install_button.hide()
        self.close_button.setVisible(part is not self.running)
        self.cancel_button.setVisible(part is self.running)
        self._fit()

    def _fit(self) -> None:
        layout = self._layout
        layout.activate()
        has_wrapped_text = layout.hasHeightForWidth()
        self.setFixedHeight(
            layout.totalHeightForWidth(_WIDTH)
            if has_wrapped_text
            else layout.totalSizeHint().height()
        )

    def _show_progress(self) -> None:
        progress = self._progress
        is_stopping = self._install.is_stopping
        self.cancel_button.setEnabled(not is_stopping)
        self.bar.set_fraction(None if is_stopping else progress.fraction)
        if is_stopping:
            self.stage_label.setText(self.tr("Stopping, and taking back what is half-done"))
            self.amount_label.clear()
            return
        self.stage_label.setText(self._stage_text(progress))
        if progress.fraction is not None:
            amount = self.tr("{done} of {total}").format(
                done=format_bytes(progress.done_bytes), total=format_bytes(progress.total_bytes)
            )
        else:
            # Where nothing else moves, time does.
            minutes, seconds = divmod(int(monotonic() - self._stage_began_s), 60)
            amount = f"{minutes}:{seconds:02d}"
        self.amount_label.setText(amount)

    def _stage_text(self, progress: InstallProgress) -> str:
        match progress.stage:
            case InstallStage.WAIT:
                return self.tr("Waiting until another install here has ended")
            case InstallStage.PREPARE:
                return self.tr("Finding out what is needed")
            case InstallStage.DOWNLOAD:
                return self.tr("Downloading {package}").replace("{package}", progress.package or "")
            case InstallStage.INSTALL:
                return self.tr("Unpacking, which takes a minute or more")

    def _on_progress(self, progress: InstallProgress) -> None:
        if progress.stage is not self._progress.stage:
            self._stage_began_s = monotonic()
        self._progress = progress
        self._show_progress()

    def _on_installed(self) -> None:
        self._tick.stop()
        self.accept()
        self.installed.emit()

    def _on_cancelled(self) -> None:
        self._tick.stop()
        super().reject()

    def _on_failed(self, message: UserMessage) -> None:
        self._show_failure(message)

    def _on_action(self, action: Action) -> None:
        if action is Action.RETRY:
            self._begin()
