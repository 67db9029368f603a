"""One recorded request in memory, and the line of it that a list shows."""

from array import array
from dataclasses import dataclass, field
from enum import StrEnum

from app.marks import Mark
from app.sample_row import SAMPLE_COLUMNS, counted_gpus, engine_gpu, sample_rows
from engine.events import CellSpan, Loaded
from engine.figures import RequestTrace
from engine.samples import Sample
from engine.values import LoadOptions, MemoryUse

MOST_DATE_MS = 253_402_300_799_999
"""The last of the year 9999, Unix time in milliseconds: dates end there."""

_UNKNOWN = float("nan")


@dataclass(slots=True, kw_only=True)
class SampleTrack:
    """Samples of the machine during a request.

    Attributes:
        t_ns: When each was taken.
        values: Figures, sample after sample, in the order of `SAMPLE_COLUMNS`; NaN is unknown.
        counted_gpus: As of the last sample; empty in a track that was read.
        constants: What does not change: "n_cores", "machine_total_bytes", "gpu_index",
            "gpu_name", "gpu_memory_total_bytes", "gpu_power_limit_mw", "gpu_absence",
            "cpu_energy_absence".
    """

    t_ns: "array[int]" = field(default_factory=lambda: array("q"))
    values: "array[float]" = field(default_factory=lambda: array("d"))
    constants: dict[str, str | int | None] = field(default_factory=dict)
    counted_gpus: tuple[int, ...] = ()

    def add(self, sample: Sample) -> None:
        """Take a sample."""
        gpu = engine_gpu(sample.gpus)
        for row in sample_rows(sample, self.counted_gpus):
            self.t_ns.append(sample.t_ns)
            values = (row[name] for name in SAMPLE_COLUMNS)
            self.values.extend(_UNKNOWN if value is None else value for value in values)
        self.counted_gpus = counted_gpus(sample.gpus)
        self.constants |= {
            "n_cores": sample.n_cores,
            "machine_total_bytes": sample.machine_total_bytes,
            "gpu_absence": sample.gpu_absence.value if sample.gpu_absence else None,
            "cpu_energy_absence": sample.cpu_energy_absence and sample.cpu_energy_absence.value,
        }
        if gpu is not None:
            self.constants |= {
                "gpu_index": gpu.index,
                "gpu_name": gpu.name,
                "gpu_memory_total_bytes": gpu.memory_total_bytes,
                "gpu_power_limit_mw": gpu.power_limit_mw,
            }

    def add_blank(self, t_ns: int) -> None:
        """Nothing is known at `t_ns`, so that nothing is drawn and summed over it."""
        self.t_ns.append(max(t_ns, self.t_ns[-1] + 1) if self.t_ns else t_ns)
        self.values.extend(_UNKNOWN for _ in SAMPLE_COLUMNS)

    def copy(self) -> "SampleTrack":
        """As it is now, for another thread."""
        return SampleTrack(t_ns=self.t_ns[:], values=self.values[:], constants=dict(self.constants))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryMark:
    """What the engine had allocated from `t_ns` on."""

    t_ns: int
    memory: MemoryUse


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """A request, from the moment it was sent. Not changed after it was made.

    Stamps are nanoseconds on one clock, that of `trace.t_submit_ns`: 0 in a record that was read.

    Attributes:
        run_id: Unique, also among runs of other machines.
        created_ms: When it was sent, Unix time in milliseconds.
        label: What the person called it.
        app_version: Of Oscillama.
        machine: As `engine.record.machine` gives it.
        model_name: What the model is called on screen.
        options: How the model was asked to be loaded; None where that is not known.
        loaded: The model, the engine's choices, KV layout and memory; None where the request
            ended before a model was loaded.
        request: As `engine.record.request_record` gives it.
        n_dropped_messages: How many of the oldest messages were left out.
        felt_ttft_ns: From send to the first paint of text; None where nothing was painted.
        trace: Stamps of the request. It has ended.
        memory: What the engine had allocated, each time that changed.
        samples: The machine meanwhile.
        marks: What happened meanwhile that its stamps do not tell.
        load_span_ns: Begin and end of the load that it waited for; None where it did not.
        answer_number: As in `PromptReady`.
        prompt_cells: What the tokens of its prompt are; empty where the engine did not tell.
    """

    run_id: str
    created_ms: int
    label: str = ""
    app_version: str = ""
    machine: dict[str, object] = field(default_factory=dict)
    model_name: str = ""
    options: LoadOptions | None = None
    loaded: Loaded | None = None
    request: dict[str, object] = field(default_factory=dict)
    n_dropped_messages: int = 0
    felt_ttft_ns: int | None = None
    trace: RequestTrace
    memory: tuple[MemoryMark, ...] = ()
    samples: SampleTrack = field(default_factory=SampleTrack)
    marks: tuple[Mark, ...] = ()
    load_span_ns: tuple[int, int] | None = None
    answer_number: int = 0
    prompt_cells: tuple[CellSpan, ...] = ()


class RunFault(StrEnum):
    """Why a file of a run is not read."""

    NOT_A_RUN = "not_a_run"
    NEWER = "newer"
    DAMAGED = "damaged"
    EDITED = "edited"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """What a list shows of a run; None is unknown.

    Attributes:
        name: Name of its file.
        n_bytes: Size of its file.
        fault: Why the file cannot be read; then nothing else is known.
        created_ms: Unix time in milliseconds.
        label: What the person called it.
        model: Name of the model.
        quantization: For example "Q4_1".
        engine: What ran it, with its version.
        device: What computed.
        is_inspected: Whether each token was said how it was chosen, which costs time. Files that
            do not tell are of before that could be asked for.
        outcome: As `FinishReason` has it, or "failed".
        n_prompt_tokens: p.
        n_cached_tokens: c.
        n_output_tokens: n.
        ttft_ns: As in `Figures`.
        prefill_rate_tok_per_s: As in `Figures`.
        decode_rate_tok_per_s: As in `Figures`.
        itl_p50_ns: As in `Figures`.
        itl_p95_ns: As in `Figures`.
        energy_per_token_mj: Energy of the device that computed per output token, millijoules.
        energy_mj: Of the whole answer.
        energy_source: Which device that is of, as `EnergySource` has it; empty where none.
    """

    name: str
    n_bytes: int
    fault: RunFault | None = None
    created_ms: int = 0
    label: str = ""
    model: str = ""
    quantization: str = ""
    engine: str = ""
    device: str = ""
    is_inspected: bool = False
    outcome: str = ""
    n_prompt_tokens: int | None = None
    n_cached_tokens: int | None = None
    n_output_tokens: int | None = None
    ttft_ns: int | None = None
    prefill_rate_tok_per_s: float | None = None
    decode_rate_tok_per_s: float | None = None
    itl_p50_ns: int | None = None
    itl_p95_ns: int | None = None
    energy_per_token_mj: float | None = None
    energy_mj: float | None = None
    energy_source: str = ""
