"""Sentences about layouts of the live panels that could not be taken."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.layouts import LayoutProblem
from app.messages import Severity, UserMessage

translate = QCoreApplication.translate

_MOST_SHOWN = 60
_MOST_NAMES = 5


def layouts_unused(problems: Sequence[LayoutProblem]) -> UserMessage:
    """Layouts that the person keeps, one at least, are damaged or for another version."""
    first = problems[0]
    names = [problem.name[:_MOST_SHOWN] for problem in problems if problem.name]
    if len(problems) == 1 or not names:
        return _layout_unused(first)
    quoted = [translate("Messages", "“{name}”").format(name=name) for name in names[:_MOST_NAMES]]
    listed = ", ".join(quoted) + (", …" if len(problems) > len(quoted) else "")
    text = translate(
        "Messages",
        "They are damaged, or show panels that this version does not have: {names}. They are "
        "kept in the settings file, under {key}.",
    )
    return UserMessage(
        severity=Severity.WARNING,
        title=translate("Messages", "Some panel layouts cannot be used"),
        text=text.format(names=listed, key=first.kept_as),
    )


def _layout_unused(problem: LayoutProblem) -> UserMessage:
    if problem.stranger:
        text = translate(
            "Messages",
            "“{name}” shows a panel that this version does not have (“{panel}”). It is kept as it "
            "is, and can be chosen again in the version that made it.",
        )
    elif problem.name:
        text = translate(
            "Messages",
            "“{name}” is damaged. It is left as it is in the settings file, under {key}. Arrange "
            "the panels again and save them under another name.",
        )
    else:
        text = translate(
            "Messages",
            "What the settings file keeps of your layouts is damaged. It is there still, under "
            "{key}. Arrange the panels again and save them.",
        )
    return _warning(translate("Messages", "A panel layout cannot be used"), text, problem)


def arrangement_unused(problem: LayoutProblem) -> UserMessage:
    """How the panels stood the last time is damaged, or from another version."""
    if problem.stranger:
        text = translate(
            "Messages",
            "They were last arranged with a panel that this version does not have (“{panel}”), so "
            "the essential ones are shown. The arrangement is kept in the settings file, under "
            "{key}.",
        )
    else:
        text = translate(
            "Messages",
            "How they were arranged could not be read, so the essential ones are shown. What was "
            "kept is in the settings file still, under {key}.",
        )
    return _warning(translate("Messages", "The panels stand as at first"), text, problem)


def _warning(title: str, text: str, problem: LayoutProblem) -> UserMessage:
    filled = text.format(
        name=problem.name[:_MOST_SHOWN],
        panel=problem.stranger[:_MOST_SHOWN],
        key=problem.kept_as,
    )
    return UserMessage(severity=Severity.WARNING, title=title, text=filled)
