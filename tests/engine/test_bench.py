"""The benchmark command with the real model in a real process."""

import argparse
import json
from pathlib import Path

import pytest

from engine import bench
from engine.errors import ErrorCode, ErrorInfo

pytestmark = pytest.mark.model


def _arguments(*options: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return parser.parse_args(options)


def test_table_and_file_agree(
    starter_model_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bench.json"
    code = bench.run(
        _arguments(
            *("--model", str(starter_model_path), "--prompt-tokens", "64", "--output-tokens", "8"),
            *("--repeat", "2", "--threads", "1", "--threads-prefill", "1", "--json", str(file)),
        )
    )
    assert code == 0
    document = json.loads(file.read_text())
    assert (document["schema"], document["version"]) == ("oscillama.bench", 1)
    assert document["options"]["n_threads"] == document["engine"]["n_threads"] == 1
    assert str(starter_model_path.parent) not in file.read_text()
    runs = document["runs"]
    assert len(runs) == 2
    for run in runs:
        stamps, figures = run["stamps"], run["figures"]
        steps = stamps["step_t_ns"]
        assert len(steps) == 8
        assert figures["n_cached_tokens"] == 0
        assert figures["n_prompt_tokens"] == 64
        assert figures["ttft_ns"] == steps[0] - stamps["t_start_ns"]
        assert figures["tpot_ns"] == pytest.approx((steps[-1] - steps[0]) / 7)
    rates = sorted(run["figures"]["decode_rate_tok_per_s"] for run in runs)
    summary = document["summary"]["decode_rate_tok_per_s"]
    assert (summary["min"], summary["max"]) == (rates[0], rates[1])
    assert summary["median"] == pytest.approx(sum(rates) / 2)
    shown = capsys.readouterr().out
    assert f"{summary['median']:.2f}" in shown
    assert "KV used" in shown
    assert document["memory"]["rss_bytes"] > document["memory"]["kv_bytes"]


def test_errors_are_sentences_and_exit_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.run(_arguments("--model", str(tmp_path / "none.gguf"))) == 1
    shown = capsys.readouterr()
    assert "file not found" in shown.err
    assert shown.out == ""


@pytest.mark.parametrize(
    ("code", "backend", "command"),
    [
        (ErrorCode.BACKEND_MISSING, "torch", "`make run TORCH=1` installs it"),
        (ErrorCode.BACKEND_MISSING, "llama", "`make run` installs it"),
        (ErrorCode.BACKEND_BROKEN, "torch", "`make clean` and then `make run TORCH=1`"),
        (ErrorCode.BACKEND_MISSING, "abacus", None),
        (ErrorCode.LOAD_FAILED, "torch", None),
    ],
)
def test_a_library_that_is_not_there_comes_with_the_command(
    code: ErrorCode, backend: str, command: str | None
) -> None:
    text = bench._sentence(ErrorInfo(code=code, details=(("backend", backend),)))
    assert ("make run" in text) is (command is not None)
    assert (command or "") in text


def test_a_file_that_cannot_be_written_is_told(
    starter_model_path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(starter_model_path.parent)
    code = bench.run(
        _arguments(
            *("--model", starter_model_path.name, "--prompt-tokens", "8", "--output-tokens", "2"),
            *("--repeat", "1", "--warm-up", "0", "--threads", "1"),
            *("--json", str(tmp_path / "no" / "folder.json")),
        )
    )
    assert code == 1
    shown = capsys.readouterr()
    assert "was not written" in shown.err
    # The file calls itself "Smollm2 135M 8k Lc100K ..."; the window does not.
    assert "SmolLM2-135M-Instruct: 1 run" in shown.err
    assert "model    SmolLM2-135M-Instruct, Q4_1\n" in shown.out


@pytest.mark.parametrize("options", [["--repeat", "0"], ["--prompt-tokens", "x"]])
def test_wrong_options_are_refused(options: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        _arguments(*options)
    assert caught.value.code == 2


def test_ctrl_c_ends_the_engine_too(
    starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fixture that looks for leaks sees a process that stays."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "_generate", interrupted)
    assert bench.run(_arguments("--model", str(starter_model_path), "--threads", "1")) == 130
