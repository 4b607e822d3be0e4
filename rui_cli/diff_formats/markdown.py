"""A comparison as GitHub-flavoured Markdown, for the description of a pull request or the summary of a job."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rui_cli.diff_result import DiffResult
from rui_cli.output import Style, escape_control
from rui_inspector.compare.report import Form, Item, Phrase, Report

IS_TEXT = False
LINE_END = "↵"
_SPECIAL = re.compile(r"[\\`*_{}\[\]#|~$<>&]|:(?=[\w+-]+:)|^[-+=]|(?<=^\d)[.)]|(?<=^\d\d)[.)]")
"""What has a meaning in a line: some characters everywhere, colons around an emoji, and the start of a list."""

_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_MENTION = re.compile(r"[@#](?=\w)|(?<=[Gg][Hh])-(?=\d)|(?<=://)|(?<=www)\.")
"""What GitHub turns into a mention, a reference or a link: an invisible space prevents it."""

_NO_LINK = "\u200b"
_TAGS = {Form.NAME: ("**", "**"), Form.REMOVED: ("<del>", "</del>"), Form.ADDED: ("<ins>", "</ins>")}


def render(results: Iterable[DiffResult], style: Style) -> Iterator[str]:
    """Yield the comparisons, a section each."""
    del style
    is_first = True
    for result in results:
        yield ("" if is_first else "\n") + "".join([f"{line}\n" for line in _lines(result)])
        is_first = False


def _lines(result: DiffResult) -> Iterator[str]:
    yield f"### {escape(result.title or 'Untitled RUI')}"
    yield from ("", _code(result.names))
    if result.is_same and not result.note:
        yield from ("", "The documents are the same.")
    for note in (result.note, *result.notes()):
        if note:
            yield from ("", f"> {escape(note)}")
    report = Report(result.comparison)
    headlines = [
        f"**{escape(topic[:1].upper() + topic[1:])}:** {escape(counts)}" for topic, counts, _ in report.headlines()
    ]
    if headlines:
        yield from ("", " · ".join(headlines))
    yield from _section("Data", report.endpoints())
    screens = [screen for screen in result.comparison.screens if screen.kinds]
    navigation = report.navigation()
    if screens or navigation:
        yield from ("", "#### Screens", "")
    yield from _items(navigation, "")
    for screen in screens:
        yield from _items([report.screen(screen)], "")
        yield from _items(report.nodes(screen), "  ")
    yield from _section("The rest", report.rest())


def _section(title: str, items: list[Item]) -> Iterator[str]:
    if items:
        yield from ("", f"#### {title}", "")
        yield from _items(items, "")


def _items(items: Iterable[Item], indent: str) -> Iterator[str]:
    for item in items:
        kinds = ", ".join([item.words[kind] for kind in item.kinds])
        yield f"{indent}- {kinds}: {_line(item.head)}"
        for line in item.lines:
            yield f"{indent}  - {_line(line)}"


def _line(phrases: Iterable[Phrase]) -> str:
    return "".join([_phrase(phrase) for phrase in phrases])


def _phrase(phrase: Phrase) -> str:
    if phrase.form is Form.CODE:
        return _code(phrase.text)
    start, end = _TAGS.get(phrase.form, ("", ""))
    return f"{start}{escape(phrase.text)}{end}"


def _code(text: str) -> str:
    """Return a text as code: in backticks where it has none."""
    text = _clean(text)
    if "`" in text or not text.strip():
        return f"<code>{escape(text)}</code>"
    return f"`{text}`"


def escape(text: str) -> str:
    """Return a text that Markdown shows as it is, without links and mentions."""
    marked = _MENTION.sub(lambda match: f"{match[0]}{_NO_LINK}", _clean(text))
    return _SPECIAL.sub(_escape_special, marked)


def _escape_special(match: re.Match[str]) -> str:
    return _ENTITIES.get(match[0]) or f"\\{match[0]}"


def _clean(text: str) -> str:
    return escape_control(text.replace("\n", LINE_END))
