import pytest

from engine.model_name import display_name, path_name
from engine.values import ModelInfo


@pytest.mark.parametrize(
    ("path", "quantization", "shown"),
    [
        ("/m/SmolLM2-135M-Instruct.Q4_1.gguf", "Q4_1", "SmolLM2-135M-Instruct"),
        ("/m/qwen3-8b-q4_k_m.gguf", "Q4_K_M", "qwen3-8b"),
        ("/m/Llama-3.2-1B-Instruct.gguf", "F16", "Llama-3.2-1B-Instruct"),
        ("/m/model.gguf", None, "model"),
        ("/m/Qwen2.5-0.5B-bfloat16", "bfloat16", "Qwen2.5-0.5B"),
        ("/m/Qwen2.5-1.5B", "float32", "Qwen2.5-1.5B"),
        ("scripted:?tok_per_s=20", "Q4_1", "Run 17"),
    ],
)
def test_a_model_is_called_after_its_file(path: str, quantization: str | None, shown: str) -> None:
    model = ModelInfo(path=path, name="Run 17", quantization=quantization)

    assert display_name(model) == shown


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/m/SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct.Q4_1"),
        ("/m/Qwen2.5-0.5B", "Qwen2.5-0.5B"),
        (
            "/hub/models--Qwen--Qwen2.5-0.5B/snapshots/060db6499f32faf8b98477b0a26969ef",
            "Qwen2.5-0.5B",
        ),
        ("/hub/models--Qwen--Qwen2.5-0.5B/snapshots/060d/q.gguf", "q"),
        ("/m/snapshots/060d", "060d"),
    ],
)
def test_a_path_is_called_after_its_file_or_folder(path: str, shown: str) -> None:
    assert path_name(path) == shown
