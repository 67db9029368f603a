"""What the token inspector says, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale, QObject

from app.tint import LATENCY_BOUNDS, PROBABILITY_BOUNDS, Tint
from engine.inspection import SamplerStage
from ui.counts import token_count
from ui.format import (
    UNKNOWN,
    Quantity,
    format_bytes,
    format_count,
    format_duration_ns,
    format_percent,
)
from ui.markdown.visible import visible

if TYPE_CHECKING:
    from app.token_looks import TokenLook
    from engine.inspection import Candidate, TokenInspection

_SPACE, _LINE_END, _TAB = "␣", "⏎", "⇥"
translate = QCoreApplication.translate


def piece_text(piece: bytes) -> str:
    """The bytes of a token as text in which spaces and line ends can be seen."""
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError:
        # Part of a character.
        return " ".join(f"{byte:02X}" for byte in piece)
    return shown_text(text)


def shown_text(text: str) -> str:
    """`text` on one line, in which spaces and line ends can be seen."""
    shown = visible(text).replace(" ", _SPACE).replace("\n", _LINE_END).replace("\t", _TAB)
    return shown or UNKNOWN


def stage_name(stage: SamplerStage) -> str:
    """The name of a part of the sampler."""
    match stage:
        case SamplerStage.TOP_K:
            return translate("Inspector", "top-k")
        case SamplerStage.TOP_P:
            return translate("Inspector", "top-p")
        case SamplerStage.MIN_P:
            return translate("Inspector", "min-p")
        case SamplerStage.GREEDY:
            return translate("Inspector", "greedy")


def note_of(candidate: Candidate) -> str:
    """What the samplers made of a candidate: its chance, or what removed it."""
    if candidate.removed_by is not None:
        return translate("Inspector", "out: {stage}").format(stage=stage_name(candidate.removed_by))
    return format_percent(candidate.drawn_probability)


def rank_text(inspection: TokenInspection | None) -> str:
    """The probability and the rank of what was chosen."""
    if inspection is None:
        return UNKNOWN
    share = format_percent(inspection.chosen.probability)
    if inspection.rank == 1:
        return translate("Inspector", "{share}, the most likely").format(share=share)
    return translate("Inspector", "{share}, number {rank}").format(
        share=share, rank=format_count(inspection.rank)
    )


def cache_text(look: TokenLook) -> str:
    """What the KV cache held when the token was chosen."""
    if look.n_context_tokens is None:
        return UNKNOWN
    n_bytes = format_bytes(look.kv_bytes)
    text = translate("Inspector", "{size} in {tokens}")
    return text.format(size=n_bytes, tokens=token_count(look.n_context_tokens))


def time_text(look: TokenLook) -> str:
    """What the token took."""
    taken = format_duration_ns(look.latency_ns)
    if look.latency_ns is None:
        return taken
    if look.step == 0:
        return translate("Inspector", "{time} since the prompt was read").format(time=taken)
    if look.n_step_tokens > 1:
        return Counts().shared(look.n_step_tokens).format(time=taken)
    return taken


def left_text(inspection: TokenInspection) -> str:
    """How many candidates each part of the sampler left."""
    if not inspection.stages:
        return translate("Inspector", "No sampler removed a token.")
    left = " → ".join(
        f"{stage_name(stage)} {format_count(n_left)}" for stage, n_left in inspection.stages
    )
    text = translate("Inspector", "Left after each sampler: {left}").format(left=left)
    if inspection.is_penalized:
        text += "\n" + translate("Inspector", "Penalties changed the logits before.")
    return text


class Counts(QObject):
    """Counted things. lupdate finds plurals in the `tr` of a QObject only."""

    def shared(self, n: int) -> str:
        """A time for so many tokens; `time` is left to be filled in."""
        return self.tr("{time} for %Ln tokens of one step", "", n)


def level_texts(tint: Tint) -> list[str]:
    """What each level stands for, from the weakest on."""
    if tint is Tint.LATENCY:
        shown = [f"{QLocale().toString(bound, 'g', 3)}×" for bound in LATENCY_BOUNDS]
        return [*(f"≤ {bound}" for bound in shown), f"> {shown[-1]}"]
    unit = translate("Units", "%")
    shown = [str(Quantity(f"{bound * 100:.0f}", unit)) for bound in PROBABILITY_BOUNDS]
    return [*(f"≥ {bound}" for bound in shown), f"< {shown[-1]}"]
