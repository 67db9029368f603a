"""Why a file is not imported."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate
# For what was collected where it stands as a literal.
_collected = QCoreApplication.translate

_MOST_OF_A_VALUE = 200


class RefusedError(Exception):
    """A file that is not imported; the message is for the person.

    Attributes:
        text: The message; of the process that reads files it is not translated.
        values: What stands in the message in the place of each `{name}`.
    """

    def __init__(self, text: str, values: Mapping[str, str] | None = None) -> None:
        """Put the message together."""
        self.text, self.values = text, dict(values or {})
        for name, value in self.values.items():
            text = text.replace(f"{{{name}}}", value[:_MOST_OF_A_VALUE])
        super().__init__(text)


class CancelledError(Exception):
    """The person does not want the import any more."""


def refused(text: str, **values: str) -> RefusedError:
    """A refusal whose `{names}` are replaced by `values`."""
    return RefusedError(text, values)


def refused_elsewhere(text: str, values: Mapping[str, str]) -> RefusedError:
    """A refusal of a process that has no translations, in the language of this one."""
    return RefusedError(_collected("Exchange", text), values)


def not_json(reason: str) -> RefusedError:
    """A file that does not hold what it should."""
    return refused(translate("Exchange", "it is not whole JSON ({reason})."), reason=reason)


def too_large() -> RefusedError:
    """A file with more in it than is read."""
    return RefusedError(translate("Exchange", "what is in it is larger than 512 MB."))
