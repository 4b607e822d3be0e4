"""Output formats of `rui diff`: text for a terminal, GitHub-flavoured Markdown, JSON (docs/comparing.md).

In text, removed words are ``[-old-]`` and added words ``{+new+}``, as git writes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from rui_cli.diff_result import DiffResult, Version
from rui_cli.output import Style, escape_line, to_json
from rui_common.validation.findings import ABSENT
from rui_inspector.compare.comparison import ChangeKind, NodeChange
from rui_inspector.compare.fields import FieldChange
from rui_inspector.compare.report import Form, Phrase, Phrases, ReportItem, place_of, report_of
from rui_inspector.model.view import ViewNode

LINE_END = "↵"
BOLD = "1"
CODES = {Form.QUIET: "2", Form.NAME: BOLD, Form.CODE: "35", Form.REMOVED: "31", Form.ADDED: "32"}
"""Form of a phrase → the codes of its colour."""

KIND_CODES = {
    ChangeKind.ADDED: "1;32", ChangeKind.REMOVED: "1;31", ChangeKind.CHANGED: "1;33", ChangeKind.MOVED: "1;34",
}  # fmt: skip
MARKS = {Form.REMOVED: ("[-", "-]"), Form.ADDED: ("{+", "+}")}
TAGS = {Form.NAME: ("**", "**"), Form.REMOVED: ("<del>", "</del>"), Form.ADDED: ("<ins>", "</ins>")}

_SPECIAL = re.compile(r"[\\`*_{}\[\]#|~$<>&]|:(?=[\w+-]+:)|^[-+=]|(?<=^\d)[.)]|(?<=^\d\d)[.)]")
"""What has a meaning in a line of Markdown: some characters everywhere, colons of an emoji, the start of a list."""

_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_MENTION = re.compile(r"[@#](?=\w)|(?<=[Gg][Hh])-(?=\d)|(?<=://)|(?<=www)\.")
"""What GitHub turns into a mention, a reference or a link: an invisible space prevents it."""

_NO_LINK = "\u200b"


def to_text(result: DiffResult, style: Style) -> Iterator[str]:
    """Yield the lines for a terminal; none for a file without a difference."""

    def phrase_text(phrase: Phrase) -> str:
        start, end = MARKS.get(phrase.form, ("", ""))
        text = f"{start}{_clean(phrase.text)}{end}"
        if phrase.form not in CODES:
            return text
        return style.paint(text, CODES[phrase.form])

    if result.is_same and not result.notes:
        return
    yield style.paint(_clean(f"{result.title} {result.names}".strip()), BOLD)
    yield from map(_clean, result.notes)
    report = report_of(result.comparison)
    for name, counts, _ in report.headlines:
        yield f"{_clean(name)}: {_clean(counts)}"
    for title, items in report.sections():
        yield from ("", style.paint(title, BOLD))
        for level, kinds, line in _lines(items):
            start = "    "
            if kinds:
                start = "".join([style.paint(kind.sign, KIND_CODES[kind]) for kind in kinds]) + " "
            yield f"{'  ' * (level + 1)}{start}{''.join(map(phrase_text, line))}"


def to_markdown(result: DiffResult, _style: Style) -> Iterator[str]:
    """Yield the lines of a section."""
    yield f"### {escape_markdown(result.title or 'Untitled RUI')}"
    yield from ("", _code(result.names))
    if result.is_same and not result.notes:
        yield from ("", "The documents are the same.")
    for note in result.notes:
        yield from ("", f"> {escape_markdown(note)}")
    report = report_of(result.comparison)
    headlines = [f"**{escape_markdown(name)}:** {escape_markdown(counts)}" for name, counts, _ in report.headlines]
    if headlines:
        yield from ("", " · ".join(headlines))
    for title, items in report.sections():
        yield from ("", f"#### {title}", "")
        for level, kinds, line in _lines(items):
            start = f"- {', '.join([kind.value for kind in kinds])}: " if kinds else "  - "
            yield f"{'  ' * level}{start}{''.join(map(_markdown_phrase, line))}"


def to_json_line(result: DiffResult, _style: Style) -> Iterator[str]:
    """Yield one line with an object."""
    comparison = result.comparison
    yield to_json({
        "same": result.is_same,
        "before": _version(result.before),
        "after": _version(result.after),
        "endpoints": [
            {
                "kind": change.kind.value,
                "method": change.method,
                "path": change.path,
                "uses": [{**_node(use.node), "before": use.before, "after": use.after} for use in change.uses],
            }
            for change in comparison.endpoints
        ],
        "nodes": [_node_change(change) for change in comparison.nodes],
        "properties": [_field(change) for change in comparison.root],
    })  # fmt: skip


FORMATS: dict[str, Callable[[DiffResult, Style], Iterator[str]]] = {
    "text": to_text, "markdown": to_markdown, "json": to_json_line,
}  # fmt: skip
"""Name → a function that yields the lines about two documents."""


def escape_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is, without links and mentions."""
    marked = _MENTION.sub(lambda match: f"{match[0]}{_NO_LINK}", _clean(text))
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0]) or f"\\{match[0]}", marked)


def _lines(items: Iterable[ReportItem], level: int = 0) -> Iterator[tuple[int, Sequence[ChangeKind], Phrases]]:
    """Yield every line with its level of indentation; the first one of a change also with what happened."""
    for item in items:
        yield level, item.kinds, item.head
        for line in item.lines:
            yield level, (), line
        yield from _lines(item.inner, level + 1)


def _markdown_phrase(phrase: Phrase) -> str:
    if phrase.form is Form.CODE:
        return _code(phrase.text)
    start, end = TAGS.get(phrase.form, ("", ""))
    return f"{start}{escape_markdown(phrase.text)}{end}"


def _code(text: str) -> str:
    """Return a text as code: in backticks where it has none."""
    text = _clean(text)
    if "`" in text or not text.strip():
        return f"<code>{escape_markdown(text)}</code>"
    return f"`{text}`"


def _clean(text: str) -> str:
    return escape_line(text.replace("\n", LINE_END))


def _version(version: Version) -> dict[str, object]:
    name = version.name if version.data is not None else None
    return {"file": name, "title": version.view.title, "errors": version.error_count}


def _node(node: ViewNode) -> dict[str, object]:
    return {"id": node.id, "type": node.type, "path": node.path, "place": place_of(node)}


def _node_change(change: NodeChange) -> dict[str, object]:
    return {
        "kinds": [kind.value for kind in change.kinds],
        "before": change.before and _node(change.before),
        "after": change.after and _node(change.after),
        "properties": [_field(one) for one in change.fields],
    }


def _field(change: FieldChange) -> dict[str, object]:
    values = {"name": change.name, "before": change.before, "after": change.after}
    return {name: value for name, value in values.items() if value is not ABSENT}
