"""One answer as the panels see it, while it runs and after."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.rates import RateWindow
from engine.events import CellsFound, CellSpan, Event, Loaded, PromptReady
from engine.figures import Figures, RequestTrace

CELL_TURNS = 8
"""Of so many turns the cells are kept: each may have a few hundred stretches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRows:
    """Engine steps in order: stamps, tokens, ITL (None at the first), rate (NaN at the first)."""

    t_ns: list[int]
    n_tokens: list[int]
    itl_ns: list[int | None]
    rate: list[float]


class Turn:
    """Figures of one answer. After `close` the stamps of its steps are let go.

    Attributes:
        request_id: Of the answer.
        t_submit_ns: When the person sent it.
        felt_ttft_ns: From then to the first paint of text, measured in the window.
        is_trial: It is tried out to measure something, and nobody reads it.
        in_cache: The KV cache holds what it left there, or a later one that went on from it.
        loaded: The model that answers, and how it was loaded; None until the engine took it.
        prompt_cells: What the tokens of its prompt are, once it is over, while it is one of the
            last `CELL_TURNS`.
        answer_number: As in `PromptReady`; 0 before that, too.
    """

    def __init__(self, *, request_id: int, t_submit_ns: int, is_trial: bool = False) -> None:
        """Begin with nothing known but when it was sent."""
        self.request_id = request_id
        self.t_submit_ns = t_submit_ns
        self.is_trial = is_trial
        self.in_cache = True
        self.felt_ttft_ns: int | None = None
        self.loaded: Loaded | None = None
        self.prompt_cells: tuple[CellSpan, ...] = ()
        self.answer_number = 0
        self._trace = RequestTrace(request_id, t_submit_ns)
        self._final: Figures | None = None
        self._rates = RateWindow()
        self._n_taken = 0

    def add(self, event: Event) -> None:
        """Take an event of this answer."""
        self._trace.add(event)
        match event:
            case PromptReady(answer_number=number):
                self.answer_number = number
            case CellsFound(cells=cells):
                self.prompt_cells = cells
            case _:
                pass

    def add_steps(self, t_ns: Sequence[int], n_tokens: Sequence[int]) -> None:
        """Take many steps at once."""
        self._trace.add_steps(t_ns, n_tokens)

    @property
    def trace(self) -> RequestTrace:
        """Its stamps, to be read only."""
        return self._trace

    @property
    def figures(self) -> Figures:
        """What is known now."""
        return self._final or self._trace.figures()

    @property
    def used_gpu(self) -> bool:
        """Whether layers of its model were on a GPU."""
        return self.loaded is not None and self.loaded.engine.n_gpu_layers > 0

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self._trace.ended

    @property
    def t_start_ns(self) -> int | None:
        """When the engine took it."""
        return self._trace.t_start_ns

    @property
    def t_last_ns(self) -> int | None:
        """When its last token was sampled, so far."""
        return self._trace.t_last_ns

    @property
    def t_end_ns(self) -> int | None:
        """When the engine was idle again."""
        return self._trace.t_end_ns

    def felt_ns(self, t_paint_ns: int) -> int | None:
        """From send to a paint; None where the machine slept in between."""
        return self._trace.span_ns(t_paint_ns, self.t_submit_ns)

    @property
    def n_prompt_tokens(self) -> int | None:
        """Tokens of the prompt."""
        return self._trace.n_prompt_tokens

    @property
    def n_cached_tokens(self) -> int | None:
        """Tokens of the prompt that were in the cache."""
        return self._trace.n_cached_tokens

    @property
    def n_prefilled_tokens(self) -> int | None:
        """Tokens of the prompt in the cache so far."""
        return self._trace.n_prefilled_tokens

    @property
    def n_output_tokens(self) -> int:
        """Tokens of the answer so far."""
        return self._trace.n_output_tokens

    @property
    def context_used_tokens(self) -> int | None:
        """`p + n` so far."""
        return self._trace.context_used_tokens

    def take_new_steps(self) -> StepRows:
        """The steps since the last call."""
        first = self._n_taken
        t_ns = list(self._trace.step_t_ns[first:])
        n_tokens = list(self._trace.step_n_tokens[first:])
        itl_ns: list[int | None] = list(self._trace.itl(first).interval_ns)
        if t_ns and first == 0:
            itl_ns.insert(0, None)
        self._n_taken = first + len(t_ns)
        rate = self._rates.extend(t_ns, n_tokens, self._trace.suspended_t_ns)
        return StepRows(t_ns=t_ns, n_tokens=n_tokens, itl_ns=itl_ns, rate=rate)

    def close(self) -> None:
        """Keep the figures and let the stamps of the steps go."""
        self._final = self._trace.figures()
        self._trace.forget_steps()
        self._rates = RateWindow()
