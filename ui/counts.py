"""Counted tokens in words, with the plural and the separators of the person's language."""

from PySide6.QtCore import QObject

from ui.format import UNKNOWN, format_count


def token_count(n: int) -> str:
    """For example "1 token", "1,024 tokens"."""
    return _Counts().tokens(n)


def tokens_of(part: int | None, n: int | None) -> str:
    """Some of so many tokens, for example "60 of 100 tokens"."""
    if n is None:
        return UNKNOWN
    return _Counts().of_tokens(n).format(part=format_count(part))


class _Counts(QObject):
    """lupdate finds plurals in the `tr` of a QObject only."""

    def tokens(self, n: int) -> str:
        return self.tr("%Ln tokens", "", n)

    def of_tokens(self, n: int) -> str:
        return self.tr("{part} of %Ln tokens", "", n)
