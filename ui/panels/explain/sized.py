"""A widget that can be drawn larger."""

from PySide6.QtWidgets import QWidget

from ui.panels.look import USUAL, PanelLook


class Sized(QWidget):
    """Takes the sizes of a look. Sub-classes paint with `look`, and fit when it changes."""

    def __init__(self) -> None:
        """Be of the usual size."""
        super().__init__()
        self.look: PanelLook = USUAL

    def set_look(self, look: PanelLook) -> None:
        """Take other sizes."""
        if look != self.look:
            self.look = look
            self.refit()
            self.update()

    def refit(self) -> None:
        """Take the height that the look asks for."""
        raise NotImplementedError
