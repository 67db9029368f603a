"""Why a file is not imported."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


class RefusedError(Exception):
    """A file that is not imported; the message is for the person, translated."""


class CancelledError(Exception):
    """The person does not want the import any more."""


def refused(text: str, **values: str) -> RefusedError:
    """A refusal whose `{names}` are replaced by `values`."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value[:200])
    return RefusedError(text)


def not_json(reason: str) -> RefusedError:
    """A file that does not hold what it should."""
    return refused(translate("Exchange", "it is not whole JSON ({reason})."), reason=reason)


def too_large() -> RefusedError:
    """A file with more in it than is read."""
    return RefusedError(translate("Exchange", "what is in it is larger than 512 MB."))
