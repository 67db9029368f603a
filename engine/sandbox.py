"""The jinja2 environment chat templates run in: what Hugging Face offers them, within limits."""

from __future__ import annotations

import json
import time
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from jinja2 import TemplateError, nodes, pass_context
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from engine.budget import Budget, check_nodes, check_width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jinja2.parser import Parser
    from jinja2.runtime import Context

# Never seen in a chat template, and each can repeat its input many times over.
_REMOVED_FILTERS = ("pprint", "urlize", "wordwrap", "xmlattr")
_REMOVED_GLOBALS = ("lipsum", "cycler")
_FILTERS_WITH_COUNTS = frozenset({"batch", "center", "format", "indent", "slice", "truncate"})


class GenerationBlock(Extension):
    """`{% generation %}`, with which templates mark what the model wrote; it does nothing here."""

    tags = {"generation"}  # noqa: RUF012  # jinja2 reads it from the class

    def parse(self, parser: Parser) -> nodes.Node:
        """The body, in a scope of its own as other implementations have it."""
        lineno = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=lineno)


class _Meter(NodeTransformer):
    """Routes what can repeat or grow through the budget: loops, output, `~` and slices."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802  # jinja2's name
        self.generic_visit(node)
        node.iter = _filter(cast("nodes.Expr", node.iter), "_loop")
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802  # jinja2's name
        self.generic_visit(node)
        return _filter(nodes.List(node.nodes, lineno=node.lineno), "_concat")

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802  # jinja2's name
        self.generic_visit(node)
        return _filter(node, "_result") if isinstance(node.arg, nodes.Slice) else node

    def visit_Output(self, node: nodes.Output) -> nodes.Node:  # noqa: N802  # jinja2's name
        self.generic_visit(node)
        # A constant goes through `finalize` at run time, template data would not.
        node.nodes = [
            nodes.Const(child.data, lineno=child.lineno)
            if isinstance(child, nodes.TemplateData)
            else child
            for child in node.nodes
        ]
        return node


class ChatSandbox(ImmutableSandboxedEnvironment):
    """Jinja2's immutable sandbox with a `Budget`, which is replaced for each rendering."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, budget: Budget) -> None:
        """Offer what Hugging Face's `apply_chat_template` offers."""
        self.budget = budget
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            optimized=False,
            finalize=_finalize,
            extensions=[loopcontrols, GenerationBlock],
        )
        for name in _REMOVED_FILTERS:
            self.filters.pop(name, None)
        for name in _REMOVED_GLOBALS:
            self.globals.pop(name, None)
        self.filters["join"] = self._join
        self.filters["string"] = self._string
        self.filters["sum"] = self._sum
        self.filters["tojson"] = _tojson
        for name, function in list(self.filters.items()):
            self.filters[name] = self._metered(name, function)
        self.filters["_loop"] = lambda items: self.budget.loop(items)
        self.filters["_concat"] = lambda items: "".join(map(self.budget.text, items))
        self.filters["_result"] = lambda value: self.budget.result(value)
        self.globals["raise_exception"] = _raise_exception
        self.globals["strftime_now"] = _strftime_now

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        _Meter().visit(tree)
        tree.set_environment(self)
        return tree

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401
        """Estimate, then compute."""
        self.budget.binary(operator, left, right)
        return super().call_binop(context, operator, left, right)

    # The first names are mangled by jinja2 so that they never collide with keyword arguments.
    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401, N805
        """Estimate what a method of a string would make, call, and book the result."""
        __self.budget.check()
        method = getattr(__obj, "__wrapped__", __obj)
        owner = getattr(method, "__self__", None)
        if isinstance(owner, str):
            values = (*args, *kwargs.values())
            __self.budget.method(owner, method.__name__, values)
        return __self.budget.result(super().call(__context, __obj, *args, **kwargs))

    def _metered(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        has_counts = name in _FILTERS_WITH_COUNTS

        @wraps(function)
        def metered(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            self.budget.check()
            values = (*args, *kwargs.values())
            if has_counts:
                for value in values:
                    check_width(value)
            # The value may follow an environment or a context, as the filter asks.
            texts = [value for value in values if isinstance(value, str)]
            if texts and name in {"indent", "format", "replace"}:
                rest = values[values.index(texts[0]) + 1 :]
                self.budget.method(texts[0], name, rest)
            return self.budget.result(function(*args, **kwargs))

        return metered

    def _join(self, value: Iterable[Any], d: str = "", attribute: str | None = None) -> str:
        items = list(self.budget.loop(value))
        if attribute is not None:
            items = [self.getitem(item, attribute) for item in items]
        self.budget.charge(len(d) * len(items))
        return str(d).join(map(self.budget.text, items))

    def _string(self, value: object) -> str:
        return self.budget.text(value)

    def _sum(self, value: Iterable[Any], attribute: str | None = None, start: Any = 0) -> Any:  # noqa: ANN401
        total = start
        for item in self.budget.loop(value):
            part = item if attribute is None else self.getitem(item, attribute)
            self.budget.binary("+", total, part)
            total = total + part
        return total


def _filter(node: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


@pass_context
def _finalize(context: Context, value: object) -> str:
    return cast("ChatSandbox", context.environment).budget.text(value)


def _tojson(
    value: object,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    # jinja2's own escapes HTML and sorts keys, which no model was trained on.
    check_nodes(value)
    check_width(indent)
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def _raise_exception(message: object) -> None:
    raise TemplateError(str(message))


def _strftime_now(pattern: str) -> str:
    return time.strftime(pattern)
