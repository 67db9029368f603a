"""What the engine is doing, as the window shows it, and how what it says changes that."""

import os
from dataclasses import dataclass, replace
from enum import StrEnum

from app import messages
from app.inference import FRAME_S
from app.messages import UserMessage
from engine.errors import ErrorInfo
from engine.events import Event, Failed, Loaded, LoadProgress, LoadStage
from engine.values import LoadOptions

UNSEEN_FRAME_S = 0.9
"""As often anything is looked at while nobody sees the window: what a crash loses is less."""
_BUSY_FRAME_S = 0.08


class EngineStatus(StrEnum):
    """What the engine is doing."""

    NO_MODEL = "no_model"
    LOADING = "loading"
    READY = "ready"
    ANSWERING = "answering"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineState:
    """The engine as the window shows it.

    Attributes:
        status: What it is doing.
        options: What was asked for by the last load.
        stage: What the load is doing, while LOADING.
        fraction: How far that stage is, 0 to 1; None where unknown.
        loaded: The model, the engine's choices, KV layout and memory; None unless loaded.
        error: Why there is no model, when FAILED.
    """

    status: EngineStatus = EngineStatus.NO_MODEL
    options: LoadOptions | None = None
    stage: LoadStage | None = None
    fraction: float | None = None
    loaded: Loaded | None = None
    error: UserMessage | None = None


def after_load_event(state: EngineState, event: Event, *, is_answering: bool) -> EngineState:
    """The state after an event of a load; `is_answering` says that an answer waits for it."""
    match event:
        case LoadProgress():
            return replace(state, stage=event.stage, fraction=event.fraction)
        case Loaded():
            status = EngineStatus.ANSWERING if is_answering else EngineStatus.READY
            return EngineState(status=status, options=state.options, loaded=event)
        case Failed():
            return failed(state, event.error)
        case _:
            return state


def failed(state: EngineState, error: ErrorInfo) -> EngineState:
    """The state after a load that failed, or after the engine died."""
    return EngineState(
        status=EngineStatus.FAILED, options=state.options, error=messages.of_error(error)
    )


def wants_all_cores(loaded: Loaded | None, n_cores: int | None) -> bool:
    """Whether the engine computes with as many threads as the machine has cores."""
    n_threads = None if loaded is None else loaded.engine.n_threads
    return n_threads is not None and n_cores is not None and n_threads >= n_cores


def frame_s(loaded: Loaded | None, *, seen: bool) -> float:
    """How much time passes between two looks at what the engine streams.

    Painting text takes cores from an engine that computes on all of them; nobody sees it in a
    window that is minimised.
    """
    if not seen:
        return UNSEEN_FRAME_S
    return _BUSY_FRAME_S if wants_all_cores(loaded, os.cpu_count()) else FRAME_S
