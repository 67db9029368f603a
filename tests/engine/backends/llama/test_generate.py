"""Prefill and decode with the real model."""

import time
from collections.abc import Callable

import pytest

from engine.backends.llama.backend import LlamaBackend
from engine.backends.llama.context import Context
from engine.backends.llama.native import import_llama
from engine.chat_format import ChatFormat
from engine.errors import EngineError, ErrorCode
from engine.events import Event, PromptReady, Step
from engine.figures import RequestTrace
from engine.loop import DecodeLoop
from engine.token_prefix import common_prefix
from engine.values import GenerateRequest, KvType, SamplingParams
from tests.engine.backends.llama.conftest import GREEDY, Loader, answer
from tests.engine.scripting import ListLog

pytestmark = pytest.mark.model

_TURN = "<|im_start|>user\nName three colours of the rainbow.<|im_end|>\n<|im_start|>assistant\n"
_LONG = "The river ran past the mill and the old stone bridge. " * 30


def _never() -> Callable[[int], bool]:
    return lambda done: True


def test_greedy_answers_are_the_same_each_time(load: Loader) -> None:
    backend, _ = load()
    prompt = backend.tokenize(_TURN, add_special=True)
    first = answer(backend, prompt, 24, reuse_cache=False)
    assert answer(backend, prompt, 24, reuse_cache=False) == first
    text = b"".join(backend.token_bytes(token) for token in first).decode("utf-8", "replace")
    assert "rainbow" in text or "Red" in text or "red" in text


def test_a_seed_repeats_an_answer_and_another_changes_it(load: Loader) -> None:
    backend, _ = load()
    prompt = backend.tokenize(_TURN, add_special=True)

    def sampled(seed: int | None) -> list[int]:
        sampling = SamplingParams(temperature=1.5, top_k=0, top_p=1, min_p=0, seed=seed)
        return answer(backend, prompt, 24, sampling=sampling)

    assert sampled(7) == sampled(7)
    assert sampled(7) != sampled(8)
    assert sampled(None) != sampled(None)


def test_top_k_one_is_greedy(load: Loader) -> None:
    backend, _ = load()
    prompt = backend.tokenize(_TURN, add_special=True)
    narrow = SamplingParams(temperature=2.0, top_k=1, seed=3)
    assert answer(backend, prompt, 16, sampling=narrow) == answer(backend, prompt, 16)


def test_a_penalty_reaches_back_into_the_prompt(load: Loader) -> None:
    """A pattern goes on with a word it has had; a strong penalty forbids every such word."""
    backend, _ = load()
    prompt = backend.tokenize("red green blue" + " red green blue" * 8 + " red", add_special=True)
    (expected,) = answer(backend, prompt, 1)
    assert expected in prompt
    forbidding = SamplingParams(temperature=0, presence_penalty=100.0)
    (other,) = answer(backend, prompt, 1, sampling=forbidding)
    assert other not in prompt
    narrow = SamplingParams(temperature=0, presence_penalty=100.0, penalty_last_n=1)
    assert answer(backend, prompt, 1, sampling=narrow) == [expected]


def test_a_follow_up_keeps_the_prompt_and_the_answer(load: Loader) -> None:
    backend, _ = load()
    first = backend.tokenize(_TURN, add_special=True)
    said = answer(backend, first, 12)
    follow_up = first + said + backend.tokenize("<|im_end|>\n" + _TURN, add_special=False)
    # The last token sampled was never computed.
    assert backend.begin(follow_up, GREEDY, reuse_cache=True) == len(first) + len(said) - 1


def test_what_follows_a_cut_is_as_from_a_cold_cache(load: Loader) -> None:
    """The answer in the cache is cut off. Batches split alike, so that sums round alike."""
    backend, _ = load()
    first = backend.tokenize(_TURN, add_special=True)
    rest = backend.tokenize("Red is one of them, and", add_special=False)
    answer(backend, first, 12)
    assert backend.begin(first + rest, GREEDY, reuse_cache=True) == len(first)
    assert backend.prefill(rest, _never()) == len(rest)
    warm = [token for _ in range(16) for token in backend.step(lambda: True)]
    assert backend.begin(first + rest, GREEDY, reuse_cache=False) == 0
    for part in (first, rest):
        assert backend.prefill(part, _never()) == len(part)
    assert warm == [token for _ in range(16) for token in backend.step(lambda: True)]


def test_an_equal_prompt_still_computes_its_last_token(load: Loader) -> None:
    backend, _ = load()
    prompt = backend.tokenize(_TURN, add_special=True)
    answer(backend, prompt, 3)
    assert backend.kv_tokens() == len(prompt) + 2
    assert backend.begin(prompt, GREEDY, reuse_cache=True) == len(prompt) - 1
    assert backend.kv_tokens() == len(prompt) - 1
    assert backend.begin(prompt, GREEDY, reuse_cache=False) == 0
    assert backend.kv_tokens() == 0


def test_progress_moves_within_a_batch_and_never_beyond_it(load: Loader) -> None:
    backend, _ = load(n_ubatch=128)
    prompt = backend.tokenize(_LONG, add_special=True)
    seen: list[int] = []

    def keep(done: int) -> bool:
        seen.append(done)
        return True

    backend.begin(prompt, GREEDY, reuse_cache=False)
    assert backend.prefill(prompt, keep) == len(prompt)
    assert seen == sorted(seen)
    assert max(seen) <= len(prompt)
    assert len({done for done in seen if done % 128}) >= 10


def test_a_stop_in_prefill_keeps_what_was_computed(load: Loader) -> None:
    backend, _ = load(n_ubatch=64)
    prompt = backend.tokenize(_LONG, add_special=True)
    whole = answer(backend, prompt, 12, reuse_cache=False)
    backend.begin(prompt, GREEDY, reuse_cache=False)
    done = backend.prefill(prompt, lambda estimate: estimate < 160)
    assert 0 < done < len(prompt)
    assert done % 64 == 0
    assert backend.kv_tokens() == done
    assert backend.begin(prompt, GREEDY, reuse_cache=True) == done
    assert answer(backend, prompt, 12) == whole


def test_a_stop_at_once_computes_nothing(load: Loader) -> None:
    backend, _ = load(n_ubatch=64)
    prompt = backend.tokenize(_LONG, add_special=True)
    backend.begin(prompt, GREEDY, reuse_cache=False)
    assert backend.prefill(prompt, lambda done: False) == 0
    assert backend.kv_tokens() == 0


def test_what_the_callback_raises_comes_out_of_prefill(load: Loader) -> None:
    backend, _ = load()
    prompt = backend.tokenize(_LONG, add_special=True)

    def fail(done: int) -> bool:
        raise LookupError("from the loop")

    backend.begin(prompt, GREEDY, reuse_cache=False)
    with pytest.raises(LookupError, match="from the loop"):
        backend.prefill(prompt, fail)
    assert answer(backend, prompt, 2)


def test_a_stop_in_a_long_step(load: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.backends.llama.backend.LONG_STEP_NS", 0)
    backend, _ = load()
    prompt = backend.tokenize(_TURN, add_special=True)
    expected = answer(backend, prompt, 6, reuse_cache=False)
    assert answer(backend, prompt, 3, reuse_cache=False) == expected[:3]
    held = backend.kv_tokens()
    assert backend.step(lambda: False) == ()
    assert backend.kv_tokens() == held
    # The token that was not computed is still to come.
    assert [token for _ in range(3) for token in backend.step(lambda: True)] == expected[3:]


@pytest.mark.parametrize("kind", ["llama_model_is_recurrent", "llama_model_is_hybrid"])
def test_a_stop_leaves_nothing_of_a_state_that_has_no_past(
    load: Loader, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("engine.backends.llama.backend.LONG_STEP_NS", 0)
    monkeypatch.setattr(import_llama(), kind, lambda model: True)
    backend, _ = load(n_ubatch=64)
    prompt = backend.tokenize(_LONG, add_special=True)
    whole = answer(backend, prompt, 4, reuse_cache=False)
    backend.begin(prompt, GREEDY, reuse_cache=False)
    assert backend.prefill(prompt, lambda estimate: estimate < 160) == 0
    assert backend.kv_tokens() == 0
    # In a step too; the answer cannot go on from there.
    assert answer(backend, prompt, 4) == whole
    assert backend.step(lambda: False) == ()
    assert backend.kv_tokens() == 0
    with pytest.raises(EngineError):
        backend.step(lambda: True)
    assert backend.begin(prompt, GREEDY, reuse_cache=True) == 0
    assert answer(backend, prompt, 4) == whole


@pytest.mark.parametrize("kv_type", list(KvType))
def test_every_kv_type_answers(load: Loader, kv_type: KvType) -> None:
    backend, loaded = load(kv_type=kv_type)
    assert loaded.engine.flash_attention or kv_type is KvType.F16
    assert loaded.kv.type_name == kv_type.value
    prompt = backend.tokenize(_TURN, add_special=True)
    said = answer(backend, prompt, 8)
    assert len(said) == 8
    assert not all(token == said[0] for token in said)


def test_rates_agree_with_llama_cpp_itself(load: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures of an answer and the library's own counters: within 1 %.

    The figure of decode has what is done between two decodes in it. The counter does not, and the
    share of it depends on how fast the machine computes: it is measured apart, and taken off here.
    What else the machine does can only make one of several tries look worse.
    """
    backend, loaded = load()
    loop = DecodeLoop(backend, loaded, ChatFormat(None, bos_text="", eos_text=""))
    decode_one = Context.decode_one
    decoding_ns = 0

    def timed(context: Context, token: int) -> int:
        nonlocal decoding_ns
        started = time.perf_counter_ns()
        result = decode_one(context, token)
        context.synchronize()
        decoding_ns += time.perf_counter_ns() - started
        return result

    monkeypatch.setattr(Context, "decode_one", timed)
    prompt = tuple(backend.tokenize(_LONG, add_special=True)[:128])
    tries: list[tuple[float, float]] = []
    for request_id in range(1, 9):
        trace = RequestTrace(request_id, 0)
        emitted_ns: list[int] = []
        decoding_ns = 0

        def emit(
            event: Event, trace: RequestTrace = trace, emitted_ns: list[int] = emitted_ns
        ) -> None:
            trace.add(event)
            if isinstance(event, PromptReady):
                backend.reset_timings()
            elif isinstance(event, Step):
                emitted_ns.append(time.perf_counter_ns())

        request = GenerateRequest(
            request_id=request_id,
            t_submit_ns=0,
            prompt_tokens=prompt,
            sampling=GREEDY,
            max_tokens=33,
            ignore_end=True,
            reuse_cache=False,
        )
        loop.run(request, emit=emit, is_cancelled=lambda: False)
        figures, own = trace.figures(), backend.timings()
        assert (own.n_prefill, own.n_decode) == (128, 32)
        assert figures.prefill_rate_tok_per_s is not None
        assert figures.tpot_ns is not None
        prefill_ratio = figures.prefill_rate_tok_per_s * own.prefill_ms / 1e3 / own.n_prefill
        between_ns = emitted_ns[-1] - emitted_ns[0] - decoding_ns
        decode_ns = figures.tpot_ns * own.n_decode - between_ns
        tries.append((prefill_ratio, own.decode_ms * 1e6 / decode_ns))
        if all(0.99 <= ratio <= 1.01 for ratio in tries[-1]):
            return
    pytest.fail(f"prefill and decode: {tries}")


def test_what_a_full_cache_says(load: Loader) -> None:
    backend, loaded = load(n_ctx=256)
    prompt = backend.tokenize(_LONG, add_special=True)[: loaded.engine.n_ctx]
    backend.begin(prompt, GREEDY, reuse_cache=False)
    n_batch = loaded.engine.n_batch
    for start in range(0, len(prompt), n_batch):
        backend.prefill(prompt[start : start + n_batch], _never())
    assert backend.kv_tokens() == loaded.engine.n_ctx
    backend.step(lambda: True)
    with pytest.raises(EngineError) as caught:
        backend.step(lambda: True)
    assert caught.value.info.code is ErrorCode.DECODE_FAILED
    assert "no room" in caught.value.info.technical
    # The engine is as usable as before.
    assert answer(backend, prompt[:20], 2, reuse_cache=False)


def test_tokens_outside_the_vocabulary_are_refused(load: Loader) -> None:
    backend, loaded = load()
    backend.begin([loaded.model.n_vocab or 0], GREEDY, reuse_cache=False)
    with pytest.raises(EngineError) as caught:
        backend.prefill([loaded.model.n_vocab or 0], _never())
    assert caught.value.info.code is ErrorCode.DECODE_FAILED


@pytest.mark.parametrize(
    "sampling",
    [
        SamplingParams(temperature=-0.1),
        SamplingParams(temperature=float("nan")),
        SamplingParams(top_p=1.5),
        SamplingParams(min_p=-1),
        SamplingParams(top_k=-1),
        SamplingParams(repeat_penalty=0),
        SamplingParams(seed=2**32),
        SamplingParams(penalty_last_n=-1),
    ],
)
def test_sampling_out_of_range_is_refused(load: Loader, sampling: SamplingParams) -> None:
    backend, _ = load()
    with pytest.raises(EngineError) as caught:
        backend.begin([1, 2, 3], sampling, reuse_cache=True)
    assert caught.value.info.code is ErrorCode.INVALID_OPTION
    assert caught.value.info.detail("minimum") is not None


def test_an_empty_prompt_is_refused(load: Loader) -> None:
    backend, _ = load()
    with pytest.raises(EngineError) as caught:
        backend.begin([], GREEDY, reuse_cache=True)
    assert caught.value.info.code is ErrorCode.EMPTY_PROMPT


@pytest.mark.parametrize(
    "text",
    [
        "👩‍🚀 family 👨‍👩‍👧‍👦",
        "漢字かな交じり文",
        "naïve café — “quotes”",
        "a\tb\r\n\0c",
        "",
        " leading",
    ],
)
def test_text_comes_back_whole_from_its_tokens(load: Loader, text: str) -> None:
    backend, _ = load()
    tokens = backend.tokenize(text, add_special=False)
    assert b"".join(backend.token_bytes(token) for token in tokens).decode() == text


def test_characters_split_across_tokens_are_parts_of_utf8(load: Loader) -> None:
    backend, _ = load()
    tokens = backend.tokenize("🦙", add_special=False)
    assert len(tokens) > 1
    with pytest.raises(UnicodeDecodeError):
        backend.token_bytes(tokens[0]).decode()


def test_markers_are_one_token_without_text(load: Loader) -> None:
    backend, loaded = load()
    (marker,) = backend.tokenize("<|im_end|>", add_special=False)
    assert backend.token_bytes(marker) == b""
    assert backend.is_end(marker)
    assert not backend.is_end(backend.tokenize("word", add_special=False)[0])
    assert loaded.bos_text == "<|im_start|>"
    assert loaded.eos_text == "<|im_end|>"


def test_before_a_load_there_is_no_model(log: ListLog) -> None:
    backend = LlamaBackend(log)
    with pytest.raises(EngineError) as caught:
        backend.tokenize("x", add_special=True)
    assert caught.value.info.code is ErrorCode.NO_MODEL


@pytest.mark.parametrize(
    ("left", "right", "length"),
    [([], [1], 0), ([1, 2, 3], [1, 2, 3], 3), ([1, 2, 3], [1, 9, 3], 1), ([5], [6], 0)],
)
def test_common_prefix(left: list[int], right: list[int], length: int) -> None:
    assert common_prefix(left, right) == length
