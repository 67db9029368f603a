import re

import pytest

from app import messages
from app.actions import Action
from app.messages import Severity
from engine.errors import ErrorCode, ErrorInfo
from engine.values import Notice, NoticeCode

DETAILS = (
    ("path", "/models/<b>x</b>.gguf"),
    ("n_prompt", 9120),
    ("n_ctx", 8192),
    ("need_bytes", 3 * 1024**3),
    ("have_bytes", 5 * 1024**2),
    ("architecture", "nonsense"),
    ("option", "n_ctx"),
    ("value", 1),
    ("reason", "out_of_memory"),
    ("signal", "SIGKILL"),
    ("file", "config.json"),
    ("dtype", "bfloat16"),
    ("backend", "torch"),
    ("device", "cuda"),
)
NOTICE_DETAILS = (
    ("n_ctx", 1024),
    ("n_ctx_train", 512),
    ("wanted", 8192),
    ("gpu", "GPU"),
    ("n_gpu_layers", 3),
    ("n_layers", 30),
    ("reason", "too old"),
    ("need_bytes", 3 * 1024**3),
    ("have_bytes", 5 * 1024**2),
)


@pytest.mark.parametrize("code", list(ErrorCode))
def test_every_error_has_a_complete_sentence(code: ErrorCode) -> None:
    message = messages.of_error(ErrorInfo(code=code, details=DETAILS))

    assert message.title
    assert len(message.text) > 20
    assert message.text.rstrip().endswith(".")
    assert not re.search(r"[{}]", message.text)


@pytest.mark.parametrize("code", list(NoticeCode))
def test_every_notice_has_a_complete_sentence(code: NoticeCode) -> None:
    message = messages.of_notice(Notice(code=code, details=NOTICE_DETAILS))

    assert message.severity is Severity.WARNING
    assert not re.search(r"[{}]", message.text)


def test_an_error_says_what_to_do_and_keeps_the_details() -> None:
    message = messages.of_error(
        ErrorInfo(
            code=ErrorCode.FILE_TRUNCATED,
            details=(("path", "m.gguf"), ("need_bytes", 98_362_432), ("have_bytes", 1_048_576)),
            technical="short by 92 MiB",
            log_tail="llama: tensor out of bounds",
        )
    )

    assert "at least 93.8 MiB" in message.text
    assert "1.0 MiB" in message.text
    assert message.actions[0] is Action.OPEN_MODEL
    assert message.technical == "short by 92 MiB\n\nllama: tensor out of bounds"


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("out_of_memory", "memory ran out"),
        ("killed", "Another program"),
        ("assertion", "gave up"),
        ("file_changed", "file changed"),
        ("crash", "crashed"),
    ],
)
def test_a_death_names_its_cause(reason: str, words: str) -> None:
    error = ErrorInfo(
        code=ErrorCode.ENGINE_DIED, details=(("reason", reason), ("signal", "SIGKILL"))
    )

    assert words in messages.of_error(error).text


def test_missing_torch_is_said_with_its_command_and_a_button() -> None:
    error = ErrorInfo(code=ErrorCode.BACKEND_MISSING, details=(("backend", "torch"),))

    message = messages.of_error(error)

    assert message.title == "PyTorch is not installed"
    assert "make run TORCH=1" in message.text
    assert message.actions == (
        Action.INSTALL_TORCH,
        Action.ENGINE_SETTINGS,
        Action.OPEN_MODEL,
    )


def test_torch_that_does_not_load_is_not_called_missing() -> None:
    error = ErrorInfo(
        code=ErrorCode.BACKEND_BROKEN,
        details=(("backend", "torch"), ("reason", "libcudart.so.13: cannot open")),
    )

    message = messages.of_error(error)

    assert message.title == "PyTorch does not load"
    assert "(libcudart.so.13: cannot open)" in message.text
    assert "“make clean” and then “make run TORCH=1”" in message.text
    assert message.actions == (Action.RELOAD, Action.ENGINE_SETTINGS)


@pytest.mark.parametrize(
    ("code", "details", "words"),
    [
        (
            ErrorCode.DEVICE_MISSING,
            (("device", "cuda"), ("reason", "built_without_cuda")),
            "(the installed PyTorch was built without CUDA)",
        ),
        (
            ErrorCode.DEVICE_MISSING,
            (("device", "cuda:9"), ("reason", "no_such_device")),
            "no device “cuda:9” here (it finds none of this name)",
        ),
        (
            ErrorCode.TOKENIZER_UNREADABLE,
            (("path", "m"), ("reason", "no_tokenizer_file")),
            "in m (there is no tokenizer.json)",
        ),
        (
            ErrorCode.TOKENIZER_UNREADABLE,
            (("path", "m"), ("reason", "makes_no_tokens")),
            "(it makes no tokens of a text)",
        ),
        (
            ErrorCode.WEIGHTS_MISMATCH,
            (("path", "m"), ("n_layers", 22), ("n_tensors", 4), ("reason", "too_few_tensors")),
            "(there are fewer tensors than layers: 4 and 22)",
        ),
        (
            ErrorCode.WEIGHTS_MISMATCH,
            (("path", "m"), ("reason", "tensors_missing"), ("names", "a, b, c, …")),
            "(tensors are missing: a, b, c, …)",
        ),
        (
            ErrorCode.WEIGHTS_MISMATCH,
            (("path", "m"), ("reason", "tensors_of_another_shape"), ("names", "a")),
            "(tensors have another shape: a)",
        ),
        (
            ErrorCode.LOAD_FAILED,
            (("path", "m"), ("reason", "split_file")),
            "“llama-gguf-split --merge”",
        ),
    ],
)
def test_a_reason_of_the_engine_is_said_in_words(
    code: ErrorCode, details: tuple[tuple[str, str | int], ...], words: str
) -> None:
    assert words in messages.of_error(ErrorInfo(code=code, details=details)).text


def test_a_reason_of_a_library_is_said_as_it_is_and_cut() -> None:
    details = (("path", "m"), ("reason", "x" * 200_000))
    text = messages.of_error(ErrorInfo(code=ErrorCode.WEIGHTS_MISMATCH, details=details)).text

    assert "(xxx" in text
    assert len(text) < 600


def test_a_gpu_that_torch_does_not_see_is_said_so() -> None:
    details = (("gpu", "NVIDIA A"), ("reason", "gpu_not_seen"))
    notice = Notice(code=NoticeCode.GPU_NOT_READY, details=details)

    assert "NVIDIA A (PyTorch does not see it)" in messages.of_notice(notice).text


def test_a_gpu_too_small_for_the_weights_is_not_helped_by_a_context() -> None:
    details = (("gpu", "GPU"), ("need_bytes", 24 << 30), ("have_bytes", 8 << 30))
    text = messages.of_notice(Notice(code=NoticeCode.GPU_TOO_SMALL, details=details)).text

    assert "about 24.0 GiB to be computed, and 8.0 GiB are free on the GPU (GPU)" in text
    assert "number format or a smaller model" in text
    assert "context" not in text


def test_a_state_that_cannot_go_back_says_when_that_takes_time() -> None:
    text = messages.of_notice(Notice(code=NoticeCode.CACHE_NOT_REUSABLE)).text

    assert "step back in the conversation, or a stop while a prompt is read" in text


def test_a_missing_llama_is_not_taken_for_torch() -> None:
    error = ErrorInfo(code=ErrorCode.BACKEND_MISSING, details=(("backend", "llama"),))

    assert Action.INSTALL_TORCH not in messages.of_error(error).actions


def test_cancelling_a_load_is_no_error() -> None:
    message = messages.of_error(ErrorInfo(code=ErrorCode.LOAD_CANCELLED))

    assert message.severity is Severity.INFO
    assert Action.RELOAD in message.actions


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((("minimum", 64), ("maximum", 8192)), "between 64 and 8,192"),
        ((("minimum", 64),), "at least 64"),
        ((("maximum", 8192),), "at most 8,192"),
        ((), "does not go with this model"),
        ((("reason", "needs_flash_attention"),), "needs flash attention"),
        ((("reason", "not_for_torch"),), "only llama.cpp has this setting"),
    ],
)
def test_a_setting_says_what_would_be_right(
    bounds: tuple[tuple[str, int | str], ...], words: str
) -> None:
    details: tuple[tuple[str, str | int], ...] = (("option", "n_ctx"), ("value", 1), *bounds)
    message = messages.of_error(ErrorInfo(code=ErrorCode.INVALID_OPTION, details=details))

    assert "“Context size” is 1" in message.text
    assert words in message.text
    assert message.actions == (Action.ENGINE_SETTINGS,)


def memory(*details: tuple[str, str | int]) -> str:
    return messages.of_error(ErrorInfo(code=ErrorCode.NOT_ENOUGH_MEMORY, details=details)).text


def test_too_little_memory_names_the_device_and_what_would_help_there() -> None:
    sizes = (("need_bytes", 3 * 1024**3), ("have_bytes", 1024**3))

    assert "3.0 GiB, and 1.0 GiB are free. " in memory(*sizes)
    assert "KV type" in memory(*sizes)
    on_gpu = memory(*sizes, ("device", "NVIDIA H200"))
    assert "1.0 GiB are free on NVIDIA H200. " in on_gpu
    assert "smaller number format or the CPU" in on_gpu
    on_cpu = memory(*sizes, ("device", "cpu"))
    assert "smaller number format, close" in on_cpu
    assert "the CPU" not in on_cpu


def test_too_little_memory_can_be_said_without_numbers() -> None:
    assert "more than is free on cuda:1. " in memory(("device", "cuda:1"))
    assert "more than is free. " in memory()


@pytest.mark.parametrize(("backend", "other"), [("torch", "llama.cpp in"), (None, "llama.cpp")])
def test_an_unknown_architecture_is_unknown_to_the_engine_that_was_asked(
    backend: str | None, other: str
) -> None:
    asked = () if backend is None else (("backend", backend),)
    error = ErrorInfo(
        code=ErrorCode.UNKNOWN_ARCHITECTURE, details=(("architecture", "mamba9"), *asked)
    )
    message = messages.of_error(error)

    assert "mamba9" in message.text
    assert other in message.text
    assert ("transformers" in message.text) is (backend == "torch")
    assert (Action.ENGINE_SETTINGS in message.actions) is (backend == "torch")


@pytest.mark.parametrize(
    "code",
    [ErrorCode.LOAD_FAILED, ErrorCode.DECODE_FAILED, ErrorCode.CONTEXT_FAILED],
)
def test_what_any_engine_says_names_none(code: ErrorCode) -> None:
    assert "llama.cpp" not in messages.of_error(ErrorInfo(code=code)).text


def test_weights_that_can_run_code_are_refused_with_the_reason() -> None:
    message = messages.of_error(
        ErrorInfo(
            code=ErrorCode.UNSAFE_WEIGHTS,
            details=(("path", "/models/old"), ("file", "pytorch_model.bin")),
        )
    )

    assert "can run code when it is opened (pytorch_model.bin)" in message.text
    assert "safetensors or GGUF" in message.text
    assert message.actions == (Action.OPEN_MODEL,)


@pytest.mark.parametrize(
    ("code", "details", "words"),
    [
        (
            ErrorCode.DTYPE_UNSUPPORTED,
            (("dtype", "float16"), ("device", "cpu")),
            "“cpu” does not compute in float16. Choose Auto or float32",
        ),
        (
            ErrorCode.DEVICE_MISSING,
            (("device", "cuda:3"), ("reason", "there are 2 GPUs")),
            "no device “cuda:3” here (there are 2 GPUs)",
        ),
    ],
)
def test_a_choice_that_the_machine_lacks_leads_to_the_settings(
    code: ErrorCode, details: tuple[tuple[str, str], ...], words: str
) -> None:
    message = messages.of_error(ErrorInfo(code=code, details=details))

    assert words in message.text
    assert message.actions == (Action.ENGINE_SETTINGS,)


def test_a_name_of_any_length_is_cut() -> None:
    error = ErrorInfo(
        code=ErrorCode.UNKNOWN_ARCHITECTURE, details=(("architecture", "x" * 200_000),)
    )

    assert len(messages.of_error(error).text) < 600


def test_a_number_of_any_size_is_said() -> None:
    sizes = (("path", "m.gguf"), ("need_bytes", 1 << 80), ("have_bytes", float("inf")))
    truncated = messages.of_error(ErrorInfo(code=ErrorCode.FILE_TRUNCATED, details=sizes))
    counts = (("n_prompt", 1 << 70), ("n_ctx", -(1 << 70)))
    too_long = messages.of_error(ErrorInfo(code=ErrorCode.PROMPT_TOO_LONG, details=counts))

    assert "at least 8.0 EiB but has 8.0 EiB" in truncated.text
    assert "takes 9,223,372,036,854,775,807 tokens" in too_long.text
