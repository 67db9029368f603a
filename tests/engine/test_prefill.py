"""The size of a chunk follows the device, and does not collapse where a device is slow or busy."""

import pytest

from engine.prefill import ChunkSize

MS = 1_000_000


def prefill_ms(chunk_size: ChunkSize, n_prompt: int, *, fixed_ms: int, token_us: int) -> float:
    """How long a prompt takes where a chunk takes so long, and each token of it so much longer."""
    n_done, took_ns = 0, 0
    while n_done < n_prompt:
        n_tokens = min(chunk_size.tokens, n_prompt - n_done)
        chunk_ns = fixed_ms * MS + n_tokens * token_us * 1000
        chunk_size.took(n_tokens, chunk_ns)
        n_done, took_ns = n_done + n_tokens, took_ns + chunk_ns
    return took_ns / MS


def test_a_chunk_takes_about_as_long_as_it_should() -> None:
    chunk_size = ChunkSize(2048, is_interruptible=False)
    prefill_ms(chunk_size, 10_000, fixed_ms=5, token_us=250)
    assert 120 <= 5 + chunk_size.tokens * 0.25 <= 160


@pytest.mark.parametrize("fixed_ms", [100, 200, 2000])
def test_where_reading_the_weights_takes_long_a_prompt_is_not_read_token_by_token(
    fixed_ms: int,
) -> None:
    chunk_size = ChunkSize(512, is_interruptible=False)
    took_ms = prefill_ms(chunk_size, 1000, fixed_ms=fixed_ms, token_us=1000)
    assert took_ms <= 32 * fixed_ms + 1000


def test_a_chunk_that_was_held_up_is_made_good_by_the_next_ones() -> None:
    chunk_size = ChunkSize(512, is_interruptible=False)
    prefill_ms(chunk_size, 5000, fixed_ms=0, token_us=300)
    usual = chunk_size.tokens
    chunk_size.took(usual, 60_000 * MS)
    assert chunk_size.tokens == 32
    for _ in range(2):
        chunk_size.took(chunk_size.tokens, chunk_size.tokens * 300_000)
    assert chunk_size.tokens == usual


def test_a_batch_that_is_smaller_than_the_least_chunk_is_not_exceeded() -> None:
    assert ChunkSize(8, is_interruptible=False).tokens == 8


def test_whole_batches_where_a_chunk_can_be_interrupted() -> None:
    chunk_size = ChunkSize(512, is_interruptible=True)
    chunk_size.took(512, 60_000 * MS)
    assert chunk_size.tokens == 512


def stop_waits_ms(*, fixed_ms: int, token_ms: int) -> int:
    """How long a stop waits at most, once a prompt or two were read on such a device."""
    chunk_size = ChunkSize(512, is_interruptible=False)
    prefill_ms(chunk_size, 500, fixed_ms=fixed_ms, token_us=token_ms * 1000)
    longest = 0
    for _ in range(20):
        took_ms = fixed_ms + chunk_size.tokens * token_ms
        chunk_size.took(chunk_size.tokens, took_ms * MS)
        longest = max(longest, took_ms)
    return longest


@pytest.mark.parametrize(
    ("fixed_ms", "token_ms", "waits_ms"),
    [
        (0, 1, 150),
        # 32 tokens.
        (100, 20, 740),
        # A processor that computes most layers: 16, 8 and 1 token.
        (0, 50, 800),
        (100, 90, 820),
        (10, 2000, 2010),
        # Half of them would take as long.
        (2000, 1, 2032),
    ],
)
def test_a_stop_waits_a_second_where_a_smaller_chunk_takes_less(
    fixed_ms: int, token_ms: int, waits_ms: int
) -> None:
    assert stop_waits_ms(fixed_ms=fixed_ms, token_ms=token_ms) == waits_ms


def test_a_device_that_is_fast_again_gets_the_usual_chunks() -> None:
    chunk_size = ChunkSize(512, is_interruptible=False)
    prefill_ms(chunk_size, 500, fixed_ms=0, token_us=400_000)
    assert chunk_size.tokens == 2
    prefill_ms(chunk_size, 500, fixed_ms=100, token_us=10_000)
    assert chunk_size.tokens == 32
