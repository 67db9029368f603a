"""What the torch backend computes, against transformers' own `generate()` and forward pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from engine.chat_format import ChatFormat
from engine.errors import EngineError, ErrorCode
from engine.events import Event, PromptReady
from engine.loop import DecodeLoop
from engine.values import ChatMessage, GenerateRequest, SamplingParams, StepCost
from tests.engine.backends.torch_hf.conftest import GREEDY, answer
from tests.engine.scripting import assistant, text_of, user

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engine.backends.torch_hf.conftest import Loader

STORY = (
    "<|im_start|>user\nTell me a long story about a robot in the rain.<|im_end|>\n"
    "<|im_start|>assistant\n"
)


@pytest.fixture(scope="module")
def reference(starter_folder: Path) -> Any:  # noqa: ANN401
    """The same weights, run by transformers alone."""
    return AutoModelForCausalLM.from_pretrained(str(starter_folder), dtype=torch.float32).eval()


def spread_tokens(count: int) -> list[int]:
    return [index * 7919 % 49_152 for index in range(1, count + 1)]


def relative_error(found: Any, right: Any) -> float:  # noqa: ANN401
    return float((found - right).abs().max() / right.abs().max())


@pytest.mark.slow
def test_a_greedy_answer_is_that_of_generate_token_for_token(load: Loader, reference: Any) -> None:  # noqa: ANN401
    backend, _ = load()
    prompt = backend.tokenize(STORY, add_special=False)
    generated = reference.generate(
        torch.tensor([prompt]),
        attention_mask=torch.ones((1, len(prompt)), dtype=torch.long),
        do_sample=False,
        max_new_tokens=120,
    )[0, len(prompt) :].tolist()
    assert len(generated) == 120
    assert answer(backend, prompt, 120) == generated


def test_logits_are_those_of_one_forward_pass(load: Loader, reference: Any) -> None:  # noqa: ANN401
    backend, _ = load()
    prompt = spread_tokens(300)
    tokens = answer(backend, prompt, 5, chunk=128)
    with torch.inference_mode():
        right = reference(torch.tensor([prompt + tokens[:4]])).logits[0]
    assert relative_error(backend.logits(), right[-1]) < 1e-4
    assert tokens == right[299:].argmax(dim=-1).tolist()


def test_what_a_prompt_shares_with_the_last_turn_is_not_computed_again(load: Loader) -> None:
    backend, _ = load()
    first = spread_tokens(64)
    tokens = answer(backend, first, 4)
    longer = [*first, *tokens[:3], *spread_tokens(20)]
    assert backend.begin(longer, GREEDY, reuse_cache=True) == 67
    warm = answer(backend, longer, 6)
    assert answer(backend, longer, 6, reuse_cache=False) == warm
    assert backend.begin(longer[:30], GREEDY, reuse_cache=True) == 29
    assert backend.kv_tokens() == 29


def test_an_answer_that_ended_early_goes_on_as_if_it_had_not(load: Loader) -> None:
    backend, loaded = load()
    chat_format = ChatFormat(
        loaded.model.chat_template, bos_text=loaded.bos_text, eos_text=loaded.eos_text
    )
    loop = DecodeLoop(backend, loaded, chat_format)

    def ask(*messages: ChatMessage, max_tokens: int, continues: bool = False) -> list[Event]:
        events: list[Event] = []
        request = GenerateRequest(
            request_id=1,
            t_submit_ns=0,
            messages=messages,
            sampling=GREEDY,
            max_tokens=max_tokens,
            continues=continues,
        )
        loop.run(request, emit=events.append, is_cancelled=lambda: False)
        return events

    question = user("Tell me a story about rain.")
    whole = text_of(ask(question, max_tokens=30))
    begun = text_of(ask(question, max_tokens=12))
    rest = ask(question, assistant(begun), max_tokens=18, continues=True)
    ready = next(event for event in rest if isinstance(event, PromptReady))
    assert begun
    assert begun + text_of(rest) == whole
    assert ready.n_prompt_tokens - ready.n_cached_tokens == 1


def test_a_stop_reaches_into_a_prefill_and_the_rest_can_follow(load: Loader) -> None:
    backend, loaded = load(n_ubatch=128)
    assert loaded.prefill_is_interruptible
    prompt = spread_tokens(400)
    seen: list[int] = []

    def stop_late(n_done: int) -> bool:
        seen.append(n_done)
        return n_done < 200

    assert backend.begin(prompt, GREEDY, reuse_cache=True) == 0
    assert backend.prefill(prompt, stop_late) == 128
    assert seen == sorted(seen)
    assert 128 < seen[-1] < 256
    assert backend.kv_tokens() == 128
    assert answer(backend, prompt, 3) == answer(backend, prompt, 3, reuse_cache=False)


def test_a_stop_reaches_into_a_long_step(load: Loader) -> None:
    backend, _ = load(long_step_ns=0)
    prompt = spread_tokens(32)
    backend.begin(prompt, GREEDY, reuse_cache=True)
    backend.prefill(prompt, lambda _n: True)
    backend.step(lambda: True)
    backend.step(lambda: True)
    assert backend.step(lambda: False) == ()
    assert backend.kv_tokens() == 33
    with_stop = backend.step(lambda: True)
    assert with_stop == (answer(backend, prompt, 3, reuse_cache=False)[2],)


def test_kv_bytes_are_those_of_the_tensors(load: Loader) -> None:
    backend, loaded = load(n_ctx=512)
    # K and V of 30 layers, 3 heads of 64 numbers of 4 bytes.
    assert loaded.kv.used_bytes(1) == 2 * 30 * 3 * 64 * 4
    assert loaded.kv.reserved_bytes == 512 * loaded.kv.used_bytes(1)
    assert loaded.memory.kv_bytes == loaded.kv.reserved_bytes
    answer(backend, spread_tokens(100), 3)
    assert backend.memory() == loaded.memory


def test_weights_are_counted_once_where_they_are_shared(load: Loader, reference: Any) -> None:  # noqa: ANN401
    _, loaded = load()
    assert reference.lm_head.weight is reference.model.embed_tokens.weight
    assert loaded.model.n_parameters == 134_515_008
    # Beside the weights there are the frequencies of the rotation.
    assert loaded.memory.weights_bytes == pytest.approx(134_515_008 * 4, abs=1024)


def test_a_token_costs_what_the_same_model_costs_in_llama_cpp(load: Loader) -> None:
    _, loaded = load()
    layers = 30 * (2 * 576 * 576 + 2 * 576 * 192 + 3 * 576 * 1536)
    assert loaded.model.step_cost == StepCost(
        read_bytes=134_515_008 * 4,
        n_multiplied=layers,
        n_step_multiplied=layers + 49_152 * 576,
    )


def test_the_same_seed_gives_the_same_answer_and_another_one_another(load: Loader) -> None:
    backend, _ = load()
    prompt = backend.tokenize(STORY, add_special=False)

    def drawn(seed: int) -> list[int]:
        return answer(backend, prompt, 12, sampling=SamplingParams(temperature=1, seed=seed))

    assert drawn(7) == drawn(7)
    assert drawn(7) != drawn(8)


def test_an_empty_prompt_is_refused(load: Loader) -> None:
    backend, _ = load()
    with pytest.raises(EngineError) as raised:
        backend.begin([], GREEDY, reuse_cache=True)
    assert raised.value.info.code is ErrorCode.EMPTY_PROMPT


def test_text_tokens_and_bytes_go_round(load: Loader) -> None:
    backend, loaded = load()
    text = "Ça va ? 漢字 \N{GRINNING FACE}\n  x = [1, 2]\ttab"
    tokens = backend.tokenize(text, add_special=False)
    assert b"".join(map(backend.token_bytes, tokens)).decode() == text
    (marker,) = backend.tokenize("<|im_end|>", add_special=False)
    assert backend.is_end(marker)
    assert backend.token_bytes(marker) == b""
    assert not backend.is_end(tokens[0])
    assert loaded.eos_text == "<|im_end|>"
    # A lone surrogate cannot be written in UTF-8.
    assert backend.tokenize("\ud800", add_special=False)
