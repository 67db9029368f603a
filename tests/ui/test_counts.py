"""Counted tokens are written in one way, with plural and separators."""

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from app.translation import Translation
from tests.ui.conftest import TRANSLATIONS
from ui.counts import token_count, tokens_of
from ui.format import UNKNOWN


def test_counts_have_plurals_and_separators() -> None:
    assert [token_count(n) for n in (0, 1, 2, 12_345)] == [
        "0 tokens",
        "1 token",
        "2 tokens",
        "12,345 tokens",
    ]
    assert tokens_of(1_024, 8_192) == "1,024 of 8,192 tokens"
    assert tokens_of(1, 1) == "1 of 1 token"
    assert tokens_of(None, 7) == f"{UNKNOWN} of 7 tokens"
    assert tokens_of(3, None) == UNKNOWN


@pytest.mark.parametrize(("n", "words"), [(0, "0 jeton"), (1, "1 jeton"), (2, "2 jetons")])
def test_counts_follow_the_plural_of_the_language(qapp: QApplication, n: int, words: str) -> None:
    translation = Translation(qapp, TRANSLATIONS, QLocale("fr_FR"))
    try:
        assert token_count(n) == words
    finally:
        translation.close()
