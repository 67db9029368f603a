"""Sentences about layouts of the live panels that could not be taken."""

from PySide6.QtCore import QCoreApplication

from app.layouts import LayoutProblem
from app.messages import Severity, UserMessage

translate = QCoreApplication.translate

_MOST_SHOWN = 60


def layout_unused(problem: LayoutProblem) -> UserMessage:
    """A layout that the person keeps is damaged, or for another version."""
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
