"""A model's chat template: a conversation in, the text of the prompt out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jinja2 import TemplateError

from engine.budget import Budget, TemplateLimitError
from engine.errors import EngineError, ErrorCode
from engine.sandbox import ChatSandbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Template

_MAX_SOURCE_CHARS = 1 << 20
_MAX_OUTPUT_CHARS = 16 << 20
_MAX_CHARS = 64 << 20
_MAX_S = 2.0

# Templates come with model files and may be wrong, or hostile, in any of these ways.
TEMPLATE_FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    TemplateError,
    TemplateLimitError,
    TypeError,
    ValueError,
)

TemplateMessage = Mapping[str, object]


class ChatTemplate:
    """A compiled template. `render` takes at most about `max_s`, and not much memory."""

    def __init__(self, source: str, *, bos_text: str, eos_text: str, max_s: float = _MAX_S) -> None:
        """Compile `source`; raises `EngineError` TEMPLATE_FAILED where that cannot be done."""
        self._max_s = max_s
        self._bos_text = bos_text
        self._eos_text = eos_text
        self._sandbox = ChatSandbox(self._new_budget())
        if len(source) > _MAX_SOURCE_CHARS:
            raise _failed(f"the template is {len(source)} characters long")
        try:
            self._template: Template = self._sandbox.from_string(source)
        except TEMPLATE_FAULTS as error:
            raise _failed(_reason(error)) from error

    def render(self, messages: Sequence[TemplateMessage]) -> str:
        """The prompt, up to where the answer begins.

        Raises `EngineError` TEMPLATE_FAILED with a detail "reason" in the template's own words.
        """
        self._sandbox.budget = self._new_budget()
        pieces: list[str] = []
        n_chars = 0
        try:
            for piece in self._template.generate(
                messages=messages,
                tools=None,
                documents=None,
                add_generation_prompt=True,
                bos_token=self._bos_text,
                eos_token=self._eos_text,
            ):
                n_chars += len(piece)
                if n_chars > _MAX_OUTPUT_CHARS:
                    raise _failed(f"the prompt is longer than {_MAX_OUTPUT_CHARS} characters")
                pieces.append(piece)
        except TEMPLATE_FAULTS as error:
            raise _failed(_reason(error)) from error
        return "".join(pieces)

    def _new_budget(self) -> Budget:
        return Budget(max_s=self._max_s, max_chars=_MAX_CHARS)


def _failed(reason: str) -> EngineError:
    return EngineError(ErrorCode.TEMPLATE_FAILED, f"chat template: {reason}", reason=reason)


def _reason(error: BaseException) -> str:
    text = str(error).strip()
    return (
        text
        if isinstance(error, (TemplateError, TemplateLimitError)) and text
        else (f"{type(error).__name__}: {text}" if text else type(error).__name__)
    )
