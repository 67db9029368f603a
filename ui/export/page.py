"""Conversations as one HTML page, light or dark as the reader has it, that loads nothing."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from html import escape

from PySide6.QtCore import QCoreApplication, QLocale

from app.attachments import Attachment, from_json
from app.reasoning import ReasoningWatch
from app.store.exporting import branch_of, speaker_of, title_of_chat
from app.store.own_json import Chat
from app.store.records import ChatRecord, MessageRecord
from ui.export.markup import markdown_html
from ui.export.style import STYLE
from ui.markdown.visible import visible

translate = QCoreApplication.translate

# Even if something slipped through, a browser would neither load nor run it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_HEAD = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
"""


def html_page(records: Sequence[ChatRecord], chats: Iterable[Chat]) -> Iterator[str]:
    """The page, piece by piece. May be called from any thread."""
    title = title_of_chat(records[0]) if len(records) == 1 else "Oscillama"
    yield _HEAD.format(
        language=QLocale().bcp47Name(), policy=_POLICY, title=_text(title), style=STYLE
    )
    if len(records) > 1:
        yield _contents(records)
    for number, chat in enumerate(chats, start=1):
        yield f'<section id="c{number}">\n<h1 dir="auto">{_text(title_of_chat(chat[0]))}</h1>\n'
        yield f'<p class="when">{_when(chat[0].changed_ms)}</p>\n'
        for message in branch_of(chat):
            yield _article(message)
        yield "</section>\n"
    yield "</body>\n</html>\n"


def _contents(records: Sequence[ChatRecord]) -> str:
    heading = translate("Exchange", "Conversations")
    rows = "".join(
        f'<li><a href="#c{number}" dir="auto">{_text(title_of_chat(record))}</a></li>\n'
        for number, record in enumerate(records, start=1)
    )
    return f"<nav>\n<h2>{_text(heading)}</h2>\n<ol>\n{rows}</ol>\n</nav>\n"


def _article(message: MessageRecord) -> str:
    speaker = f"<h2>{_text(speaker_of(message))}</h2>\n"
    if message.role == "user":
        said = f'<p class="typed" dir="auto">{_text(message.text)}</p>\n'
        said += "".join(map(_file, from_json(message.attachments)))
    else:
        said = _answer(message.text)
    return f'<article class="{escape(message.role)}">\n{speaker}{said}</article>\n'


def _file(attachment: Attachment) -> str:
    name, text = _text(attachment.name), _text(attachment.text)
    return f"<details><summary>{name}</summary>\n<pre>{text}</pre></details>\n"


def _answer(text: str) -> str:
    """What was thought, folded, and the answer proper."""
    watch = ReasoningWatch()
    begin = watch.look(text, is_last=True)
    span = watch.span
    folded = ""
    if span is not None and text[span.inner_begin : span.inner_end].strip():
        summary = _text(translate("Exchange", "Reasoning"))
        thought = markdown_html(text[span.inner_begin : span.inner_end].strip())
        folded = f"<details><summary>{summary}</summary>\n{thought}</details>\n"
    answer = "" if begin is None else text[begin:]
    return f'<div dir="auto">\n{folded}{markdown_html(answer)}</div>\n'


def _when(unix_ms: int) -> str:
    try:
        when = datetime.fromtimestamp(unix_ms / 1000).astimezone()
    except (ValueError, OverflowError, OSError):
        return ""
    return escape(f"{when:%Y-%m-%d %H:%M}")


def _text(text: str) -> str:
    return escape(visible(text))
