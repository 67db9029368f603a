"""A backend that plays a script, for timing and faults that no real model produces on demand.

The script is the query of the model path, `scripted:?tok_per_s=1000&answer=Hello`; see `Script`.
Nothing offers this backend to a person.
"""

from __future__ import annotations

import os
import re
import signal
import time
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from engine.backend import LoadedModel
from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage
from engine.values import EngineInfo, KvGroup, KvLayout, KvType, MemoryUse, ModelInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.backend import KeepGoing, LoadCallback, PrefillCallback
    from engine.inspection import TokenInspection
    from engine.log import EngineLog
    from engine.values import LoadOptions, SamplingParams

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' "
    "+ message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
DEFAULT_ANSWER = (
    "A scripted answer: plain words, emoji \N{GRINNING FACE}\N{ROCKET}, 漢字とかな, and an end."
)

_MARKERS = ("<s>", "<|im_start|>", "<|im_end|>")
_BOS, _IM_START, _IM_END = range(256, 259)
# An output token is several bytes in one number, which `tokenize` never gives.
_PACKED = 1 << 10
_SPLIT = re.compile("(" + "|".join(map(re.escape, _MARKERS)) + ")")

_SLICE_S = 0.002
_MAX_LAG_NS = 50_000_000
_N_LAYERS, _N_HEADS, _N_KV_HEADS, _N_EMBD = 30, 9, 3, 576
_WEIGHTS_BYTES = 96_600_000
_COMPUTE_BYTES = 102_760_448
# Values of a block, and bytes.
_BLOCKS = {KvType.F16: (1, 2), KvType.Q8_0: (32, 34), KvType.Q4_0: (32, 18)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What to play.

    Attributes:
        tok_per_s: Decode steps a second; 0 does not wait.
        prefill_tok_per_s: Prompt tokens a second; 0 does not wait.
        load_s: Duration of a load.
        n_ctx: Context size, where the load options leave it open.
        answer: Text of every answer; empty ends at once.
        bytes_per_token: Bytes of an output token; characters are cut wherever they fall.
        tokens_per_step: Output tokens of an engine step.
        interruptible: 1 where a prefill callback reaches into a running chunk.
        template: "chatml", "none", or Jinja source.
        fault: "" for none; "die" by `signal`, "raise" a RuntimeError, "error" as `error`,
            "hang" without looking at a cancel.
        at: Where: "load", "prefill", "decode".
        after: Prompt or output tokens of a request that go well before the fault.
        signal: Name of the signal.
        error: Value of an `ErrorCode`.
    """

    tok_per_s: float = 0.0
    prefill_tok_per_s: float = 0.0
    load_s: float = 0.0
    n_ctx: int = 8192
    answer: str = DEFAULT_ANSWER
    bytes_per_token: int = 3
    tokens_per_step: int = 1
    interruptible: int = 1
    template: str = "chatml"
    fault: str = ""
    at: str = ""
    after: int = 0
    signal: str = "SIGKILL"
    error: str = ErrorCode.DECODE_FAILED.value

    def path(self) -> str:
        """The model path that plays this script."""
        return "scripted:?" + urlencode({f.name: getattr(self, f.name) for f in fields(self)})


def parse_script(path: str) -> Script:
    """The script of a model path; raises `EngineError` INVALID_OPTION for what it does not know."""
    types: dict[str, Callable[[str], object]] = {
        f.name: type(f.default) for f in fields(Script) if isinstance(f.default, int | float | str)
    }
    values: dict[str, object] = {}
    for name, text in parse_qsl(path.partition("?")[2], keep_blank_values=True):
        try:
            values[name] = types[name](text)
        except (KeyError, ValueError) as error:
            raise EngineError(
                ErrorCode.INVALID_OPTION, f"script {name}={text}", option=name, value=text
            ) from error
    return Script(**values)  # type: ignore[arg-type]  # each was made with its field's type


class ScriptedBackend:
    """Plays a `Script`. Satisfies `engine.backend.Backend`; prefixes stay in its cache."""

    def __init__(self, log: EngineLog) -> None:
        """Play nothing yet."""
        self._log = log
        self._script = Script()
        self._n_ctx = 0
        self._kv_reserved_bytes = 0
        self._answer: list[int] = []
        self._cache: list[int] = []
        self._sampled: tuple[int, ...] = ()
        self._n_output = 0
        self._deadline_ns = 0

    def load(self, options: LoadOptions, on_progress: LoadCallback) -> LoadedModel:
        """Take as long as the script says."""
        script = self._script = parse_script(options.model_path)
        self._log.write(f"scripted: {options.model_path[:200]}\n")
        self._n_ctx = script.n_ctx if options.n_ctx is None else options.n_ctx
        layout = self._kv_layout(options)
        self._kv_reserved_bytes = layout.reserved_bytes
        t_end_ns = time.monotonic_ns() + int(script.load_s * 1e9)
        while True:
            self._fault("load", 0)
            left_s = (t_end_ns - time.monotonic_ns()) / 1e9
            fraction = 1.0 if left_s <= 0 else 1 - left_s / script.load_s
            if not on_progress(LoadStage.READ, fraction):
                raise EngineError(ErrorCode.LOAD_CANCELLED, "the script was cancelled")
            if left_s <= 0:
                break
            time.sleep(min(left_s, _SLICE_S))
        data = script.answer.encode("utf-8")
        width = script.bytes_per_token
        self._answer = [_pack(data[i : i + width]) for i in range(0, len(data), width)]
        return LoadedModel(
            model=ModelInfo(
                path=options.model_path,
                name="Scripted",
                architecture="scripted",
                n_parameters=134_515_008,
                size_bytes=_WEIGHTS_BYTES,
                quantization="Q4_1",
                n_layers=_N_LAYERS,
                n_heads=_N_HEADS,
                n_kv_heads=_N_KV_HEADS,
                n_embd=_N_EMBD,
                n_vocab=_PACKED,
                n_ctx_train=script.n_ctx,
                chat_template=self._template(),
            ),
            engine=EngineInfo(
                backend="scripted",
                build="scripted",
                device="script",
                n_ctx=self._n_ctx,
                n_batch=options.n_batch,
                n_ubatch=options.n_ubatch,
                n_threads=options.n_threads,
                n_threads_prefill=options.n_threads_prefill,
                kv_type=options.kv_type.value,
                flash_attention=None,
                n_gpu_layers=0,
            ),
            kv=layout,
            memory=self.memory(),
            bos_text=_MARKERS[0],
            eos_text=_MARKERS[2],
            prefill_is_interruptible=bool(script.interruptible),
        )

    def predicted(self) -> MemoryUse | None:
        """Exactly what it says that it takes."""
        return self.memory() if self._kv_reserved_bytes else None

    def tokenize(self, text: str, *, add_special: bool) -> list[int]:
        """One token a byte, and one for each marker."""
        tokens = [_BOS] if add_special else []
        for part in _SPLIT.split(text):
            if part in _MARKERS:
                tokens.append(_BOS + _MARKERS.index(part))
            else:
                tokens.extend(part.encode("utf-8"))
        return tokens

    def token_bytes(self, token: int) -> bytes:
        """The bytes of a token, none for a marker."""
        if token >= _PACKED:
            number = token - _PACKED
            return number.to_bytes((number.bit_length() + 7) // 8, "big")[1:]
        return bytes((token,)) if token < _BOS else b""

    def shown_bytes(self, token: int) -> bytes:
        """The same, and of a marker its text."""
        is_marker = _BOS <= token < _PACKED
        return _MARKERS[token - _BOS].encode() if is_marker else self.token_bytes(token)

    def is_end(self, token: int) -> bool:
        """Whether it is `<|im_end|>`."""
        return token == _IM_END

    def begin(
        self,
        prompt_tokens: Sequence[int],
        sampling: SamplingParams,
        *,
        reuse_cache: bool,
        inspect: bool = False,
    ) -> int:
        """Keep the common prefix in the cache; sampling is as the script has it."""
        n_same = 0
        if reuse_cache:
            most = min(len(self._cache), len(prompt_tokens) - 1)
            while n_same < most and self._cache[n_same] == prompt_tokens[n_same]:
                n_same += 1
        del self._cache[n_same:]
        self._sampled = ()
        self._n_output = 0
        self._deadline_ns = 0
        return n_same

    def prefill(self, chunk: Sequence[int], on_progress: PrefillCallback) -> int:
        """Take the chunk at the script's rate."""
        rate = self._script.prefill_tok_per_s
        t_begin_ns = time.monotonic_ns()
        n_done = 0
        while n_done < len(chunk):
            self._fault("prefill", len(self._cache) + n_done)
            if self._script.interruptible and not on_progress(n_done):
                break
            if rate:
                time.sleep(min(_SLICE_S, (len(chunk) - n_done) / rate))
                n_done = int((time.monotonic_ns() - t_begin_ns) * rate / 1e9)
            else:
                n_done += 64
            n_done = min(n_done, len(chunk))
        self._cache += chunk[:n_done]
        return n_done

    def step(self, keep_going: KeepGoing) -> tuple[int, ...]:
        """Wait until the next step is due, on the clock and not on the step before."""
        self._cache += self._sampled
        self._sampled = ()
        self._fault("decode", self._n_output)
        if self._script.tok_per_s and not self._wait_for_next(keep_going):
            return ()
        begin = self._n_output
        self._n_output += self._script.tokens_per_step
        period = [*self._answer, _IM_END]
        self._sampled = tuple(period[i % len(period)] for i in range(begin, self._n_output))
        return self._sampled

    def inspections(self) -> tuple[TokenInspection, ...]:
        """None: a script chooses nothing."""
        return ()

    def kv_tokens(self) -> int:
        """Tokens in the cache."""
        return len(self._cache)

    def memory(self) -> MemoryUse:
        """What a small model would take."""
        return MemoryUse(
            weights_bytes=_WEIGHTS_BYTES,
            kv_bytes=self._kv_reserved_bytes,
            compute_bytes=_COMPUTE_BYTES,
        )

    def close(self) -> None:
        """Forget everything."""
        self._cache.clear()

    def _wait_for_next(self, keep_going: KeepGoing) -> bool:
        now_ns = time.monotonic_ns()
        period_ns = int(1e9 * self._script.tokens_per_step / self._script.tok_per_s)
        # A script that was held up catches up, but not on a pause of the whole machine.
        self._deadline_ns = max(self._deadline_ns + period_ns, now_ns - _MAX_LAG_NS)
        if self._n_output == 0:
            self._deadline_ns = now_ns + period_ns
        while (left_ns := self._deadline_ns - time.monotonic_ns()) > 0:
            if not keep_going():
                return False
            time.sleep(min(left_ns / 1e9, _SLICE_S))
        return True

    def _fault(self, place: str, n_tokens: int) -> None:
        script = self._script
        if script.at != place or n_tokens < script.after:
            return
        match script.fault:
            case "die":
                self._log.write(f"scripted: dying of {script.signal}\n")
                os.kill(os.getpid(), signal.Signals[script.signal])
            case "raise":
                raise RuntimeError("the script raises")
            case "error":
                raise EngineError(ErrorCode(script.error), "the script fails")
            case "hang":
                while True:
                    time.sleep(3600)
            case _:
                return

    def _template(self) -> str | None:
        template = self._script.template
        return {"chatml": CHATML, "none": None}.get(template, template)

    def _kv_layout(self, options: LoadOptions) -> KvLayout:
        values = 2 * _N_LAYERS * _N_KV_HEADS * (_N_EMBD // _N_HEADS)
        block_values, block_bytes = _BLOCKS[options.kv_type]
        bytes_per_token = values * block_bytes // block_values
        return KvLayout(
            groups=(
                KvGroup(
                    bytes_per_token=bytes_per_token,
                    n_layers=_N_LAYERS,
                    n_kv_heads=_N_KV_HEADS,
                    k_head_size=_N_EMBD // _N_HEADS,
                    v_head_size=_N_EMBD // _N_HEADS,
                ),
            ),
            fixed_bytes=0,
            reserved_bytes=bytes_per_token * self._n_ctx,
            reserved_tokens=self._n_ctx,
            type_name=options.kv_type.value,
            block_values=block_values,
            block_bytes=block_bytes,
        )


def _pack(data: bytes) -> int:
    return _PACKED + int.from_bytes(b"\x01" + data, "big")
