"""Marks of what went wrong say what it was; counts and joules are written as everywhere."""

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from app.marks import Mark, MarkKind
from app.timeline.between import Between
from app.translation import Translation
from tests.ui.conftest import TRANSLATIONS
from ui.timeline.wording import between_text, chunk_name, mark_sentence

_S = 1_000_000_000


@pytest.mark.parametrize(
    ("n_tokens", "said"), [(None, "prefill"), (0, "prefill +0"), (512, "prefill +512")]
)
def test_a_chunk_that_still_runs_has_no_number(
    qapp: QApplication, n_tokens: int | None, said: str
) -> None:
    assert chunk_name(n_tokens) == said


@pytest.mark.parametrize(
    ("kind", "detail", "said"),
    [
        (MarkKind.SUSPENDED, 90 * _S, "the machine slept for 90.0\u202fs"),
        (MarkKind.COMPILE, 2 * _S, "the engine compiled code for 2.00\u202fs"),
        (MarkKind.CLOCK_JUMPED, 7 * _S, "the time of day was put forward by 7.00\u202fs"),
        (MarkKind.CLOCK_JUMPED, -7 * _S, "the time of day was put back by 7.00\u202fs"),
        (MarkKind.SAMPLES_MISSING, 4 * _S, "no sample was taken for 4.00\u202fs"),
        (MarkKind.SAMPLES_MISSING, "gpu", "a GPU was no longer there"),
        (MarkKind.SAMPLES_MISSING, "energy", "an energy counter was lost, or went backwards"),
        (
            MarkKind.MEASURING,
            40 * _S,
            "what watching costs was measured for 40.0\u202fs until here",
        ),
        (
            MarkKind.SAMPLER_RESTARTED,
            -11,
            "what takes samples ended with code -11, and was started again",
        ),
    ],
)
def test_it_says_what_happened(kind: MarkKind, detail: str | int, said: str) -> None:
    assert mark_sentence(Mark(kind=kind, t_ns=0, detail=(detail,))) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en_US", "1 step  ·  1 token  ·  0.400\u202fJ of the GPU  ·  2.50\u202fJ of the CPU"),
        ("fr_FR", "1 pas  ·  1 jeton  ·  0,400\u202fJ du GPU  ·  2,50\u202fJ du CPU"),
    ],
)
def test_counts_and_joules_between_the_cursors_are_those_of_the_panels(
    qapp: QApplication, language: str, said: str
) -> None:
    locale, before = QLocale(language), QLocale()
    QLocale.setDefault(locale)
    translation = Translation(qapp, TRANSLATIONS, locale)
    try:
        found = Between(
            duration_ns=1,
            n_steps=1,
            n_tokens=1,
            rate_tok_per_s=None,
            energy_mj=400.0,
            cpu_energy_mj=2500.0,
        )
        assert between_text(found) == said
    finally:
        translation.close()
        QLocale.setDefault(before)
