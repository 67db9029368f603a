"""Errors of the engine: typed, with the values a sentence for a person needs."""

from dataclasses import dataclass
from enum import StrEnum


class ErrorCode(StrEnum):
    """What went wrong. `app.messages` has the sentence and the remedy for each."""

    FILE_NOT_FOUND = "file_not_found"
    FILE_UNREADABLE = "file_unreadable"
    NOT_A_GGUF = "not_a_gguf"
    FILE_TRUNCATED = "file_truncated"
    FOLDER_WITHOUT_CONFIG = "folder_without_config"
    FOLDER_WITHOUT_WEIGHTS = "folder_without_weights"
    UNSAFE_WEIGHTS = "unsafe_weights"
    CONFIG_UNREADABLE = "config_unreadable"
    WEIGHTS_MISMATCH = "weights_mismatch"
    TOKENIZER_UNREADABLE = "tokenizer_unreadable"
    UNKNOWN_ARCHITECTURE = "unknown_architecture"
    NOT_A_CHAT_MODEL = "not_a_chat_model"
    LOAD_FAILED = "load_failed"
    LOAD_CANCELLED = "load_cancelled"
    INVALID_OPTION = "invalid_option"
    NOT_ENOUGH_MEMORY = "not_enough_memory"
    CONTEXT_FAILED = "context_failed"
    DTYPE_UNSUPPORTED = "dtype_unsupported"
    DEVICE_MISSING = "device_missing"
    BACKEND_MISSING = "backend_missing"
    BACKEND_BROKEN = "backend_broken"
    NO_ENGINE = "no_engine"
    NO_MODEL = "no_model"
    BUSY = "busy"
    EMPTY_PROMPT = "empty_prompt"
    PROMPT_TOO_LONG = "prompt_too_long"
    TEMPLATE_FAILED = "template_failed"
    DECODE_FAILED = "decode_failed"
    ENGINE_DIED = "engine_died"
    ENGINE_HUNG = "engine_hung"
    INTERNAL = "internal"


Detail = str | int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorInfo:
    """An error as it crosses the process boundary.

    Attributes:
        code: What went wrong.
        details: Values for the sentence, as (name, value) pairs: "path", "n_prompt", "n_ctx",
            "n_messages", "need_bytes", "have_bytes", "architecture", "option", "value",
            "minimum", "maximum", "backend", "device", "dtype", "file", "exit_code", "signal",
            "names", "n_layers", "n_tensors", and "reason", which is a code where the engine has a
            reason of its own.
        technical: English, for the log and the "details" fold of the message.
        log_tail: The last lines that the native library wrote.
    """

    code: ErrorCode
    details: tuple[tuple[str, Detail], ...] = ()
    technical: str = ""
    log_tail: str = ""

    def detail(self, name: str) -> Detail | None:
        """The value called `name`, None where there is none."""
        return dict(self.details).get(name)


class EngineError(Exception):
    """Raised inside the engine; carries what `ErrorInfo` needs."""

    def __init__(
        self, code: ErrorCode, technical: str = "", *, log_tail: str = "", **details: Detail
    ) -> None:
        """Keep the code, an English technical text and the values for the sentence."""
        super().__init__(technical or code.value)
        self.info = ErrorInfo(
            code=code, details=tuple(details.items()), technical=technical, log_tail=log_tail
        )
