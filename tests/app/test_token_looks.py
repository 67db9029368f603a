"""Which tokens a text is made of, and what is told of each."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from app.tint import N_LEVELS, Tint
from app.token_looks import has_steps, levels_of, look_at, steps_at, watch_share
from app.transcript import Answer
from engine.events import PrefillDone, PromptReady, Started, Step
from engine.figures import RequestTrace
from engine.inspection import Candidate, TokenInspection, pack
from engine.values import KvGroup, KvLayout

if TYPE_CHECKING:
    from collections.abc import Sequence

MS = 1_000_000


def inspection(probability: float = 0.5, *, watch_ns: int = 0) -> TokenInspection:
    chosen = Candidate(
        token=5, piece=b"x", probability=probability, drawn_probability=1.0, removed_by=None
    )
    return TokenInspection(
        chosen=chosen,
        rank=1,
        alternatives=(),
        stages=(),
        is_penalized=False,
        watch_ns=watch_ns,
    )


def answered(
    texts: Sequence[str],
    *,
    took_ms: Sequence[int] = (),
    probabilities: Sequence[float] = (),
    n_prompt: int = 10,
) -> Answer:
    """An answer of steps with these texts; steps take 10 ms unless said otherwise."""
    answer = Answer(trace=RequestTrace(1, 0))
    trace = answer.trace
    trace.add(Started(request_id=1, t_ns=MS))
    trace.add(PromptReady(request_id=1, t_ns=MS, n_prompt_tokens=n_prompt, n_cached_tokens=0))
    trace.add(PrefillDone(request_id=1, t_ns=2 * MS))
    t_ns = 2 * MS
    for number, text in enumerate(texts):
        t_ns += (took_ms[number] if took_ms else 10) * MS
        packed = (pack(inspection(probabilities[number])),) if probabilities else ()
        trace.add(Step(request_id=1, t_ns=t_ns, n_tokens=1, text=text, inspected=packed))
        answer.text += text
        answer.step_ends.append(len(answer.text))
        answer.inspected.append(packed)
    answer.kv = KvLayout(
        groups=(KvGroup(bytes_per_token=100),),
        fixed_bytes=0,
        reserved_bytes=100_000,
        reserved_tokens=1_000,
        type_name="f16",
    )
    return answer


def words(answer: Answer, word: str) -> list[int]:
    begin = answer.text.index(word)
    return list(steps_at(answer, begin, begin + len(word)))


def test_a_word_is_made_of_the_steps_that_brought_it() -> None:
    answer = answered(["The", " unb", "roken", "able", " end", "."])
    assert words(answer, "The") == [0]
    assert words(answer, "unbrokenable") == [1, 2, 3]
    assert words(answer, "end") == [4]
    assert words(answer, "end.") == [4, 5]
    assert words(answer, "rok") == [2]


def test_a_character_of_several_tokens_has_all_of_them() -> None:
    answer = answered(["a ", "", "", "漢", "", "字", "b", ""])
    assert words(answer, "a") == [0]
    assert words(answer, "漢") == [1, 2, 3]
    assert words(answer, "字") == [4, 5]
    assert words(answer, "b") == [6]
    assert words(answer, "漢字") == [1, 2, 3, 4, 5]


def test_a_character_that_begins_the_answer_has_all_its_tokens() -> None:
    answer = answered(["", "", "漢"])
    assert words(answer, "漢") == [0, 1, 2]


def test_text_that_was_held_back_to_the_end_belongs_to_the_last_steps() -> None:
    answer = answered(["Yes", "", ""])
    answer.text += "<|"
    assert list(steps_at(answer, 3, 5)) == [1, 2]


def test_every_character_has_a_step_and_every_step_with_text_is_found() -> None:
    texts = ["", "ab", "", "c", "def", "", "", "g"]
    answer = answered(texts)
    found = [set(steps_at(answer, place, place + 1)) for place in range(len(answer.text))]
    assert all(found)
    assert set().union(*found) == set(range(len(texts)))
    for one, other in itertools.pairwise(found):
        assert one == other or not one & other


def test_an_answer_of_an_earlier_run_has_no_steps() -> None:
    answer = Answer(trace=RequestTrace(0, 0), text="kept")
    assert not has_steps(answer)
    assert not steps_at(answer, 0, 4)
    assert levels_of(answer, Tint.LATENCY) == b""


def test_a_token_is_told_with_its_time_and_the_cache_then() -> None:
    answer = answered(["a", "b", "c"], took_ms=[30, 7, 9])
    (first,), (third,) = look_at(answer, 0), look_at(answer, 2)
    assert (first.text, first.latency_ns) == ("a", 30 * MS)
    assert (first.n_context_tokens, first.kv_bytes) == (10, 1_000)
    assert (third.text, third.latency_ns) == ("c", 9 * MS)
    assert (third.n_context_tokens, third.kv_bytes) == (12, 1_200)
    assert third.inspection is None


def test_an_unknown_cache_is_not_nothing() -> None:
    answer = answered(["a"])
    answer.kv = None
    answer.trace.n_prompt_tokens = None
    (look,) = look_at(answer, 0)
    assert look.n_context_tokens is None
    assert look.kv_bytes is None


def test_inspections_come_with_their_tokens() -> None:
    answer = answered(["a", "b"], probabilities=[0.25, 0.75])
    (look,) = look_at(answer, 1)
    assert look.inspection == inspection(0.75)


def test_a_step_of_several_tokens_tells_each() -> None:
    answer = answered(["ab"])
    answer.trace.step_n_tokens[0] = 2
    answer.inspected[0] = (pack(inspection(0.25)), pack(inspection(0.5)))
    looks = look_at(answer, 0)
    assert [look.inspection for look in looks] == [inspection(0.25), inspection(0.5)]
    assert {look.n_step_tokens for look in looks} == {2}


def test_latency_is_levelled_against_the_median() -> None:
    took = [500, 10, 10, 12, 18, 30, 50, 10, 10]
    answer = answered(list("abcdefghi"), took_ms=took)
    assert list(levels_of(answer, Tint.LATENCY)) == [0, 1, 1, 2, 3, 4, 5, 1, 1]


def test_probability_is_levelled_by_its_bounds() -> None:
    shares = [0.99, 0.95, 0.89, 0.5, 0.3, 0.19, 0.04]
    answer = answered(list("abcdefg"), probabilities=shares)
    assert list(levels_of(answer, Tint.PROBABILITY)) == [1, 1, 2, 2, 3, 4, N_LEVELS]


def test_what_was_not_inspected_has_no_level() -> None:
    assert levels_of(answered(["ab", "c"]), Tint.PROBABILITY) == b"\0\0\0"
    assert levels_of(answered(["ab", "c"]), Tint.NONE) == b""


def test_a_character_has_the_strongest_level_of_its_tokens() -> None:
    answer = answered(["a", "", "漢"], probabilities=[0.99, 0.01, 0.99])
    assert list(levels_of(answer, Tint.PROBABILITY)) == [1, N_LEVELS]


def test_what_inspecting_took_is_a_share_of_the_decode_time() -> None:
    answer = answered(["a", "b", "c"])
    assert watch_share(answer) is None
    answer.inspected = [(pack(inspection(watch_ns=MS)),)] * 3
    assert watch_share(answer) == pytest.approx(2 / 20)


def test_of_a_continued_answer_the_steps_since_then_are_known() -> None:
    answer = answered(["", " and", " then"], took_ms=[10, 10, 40])
    answer.text = "Begun" + answer.text
    answer.continued_from = 5
    for place in range(3):
        answer.step_ends[place] += 5
    assert words(answer, "Begun") == []
    assert words(answer, " and") == [0, 1]
    assert words(answer, "then") == [2]
    assert [look_at(answer, step)[0].text for step in range(3)] == ["", " and", " then"]
    assert list(levels_of(answer, Tint.LATENCY)) == [0] * 5 + [1] * 4 + [4] * 5
