"""Output formats of `rui diff`: text for a terminal, GitHub-flavoured Markdown, JSON (docs/comparing.md)."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rui_cli.diff_result import DiffResult, Version
from rui_cli.output import Style, escape_line, to_json
from rui_common.syntax.paths import format_path
from rui_common.versions.answers import Answers
from rui_common.versions.changes import Change, SharedChange, summary_of
from rui_common.versions.sentences import Mark, capitalized, parts, plain, strong
from rui_inspector.escape import LINE_END, escape_markdown

BOLD = "1"
CODES = {Mark.NAME: BOLD, Mark.CODE: "35"}
"""The codes of the forms on a terminal, by the mark."""


def painted(sentence: str, style: Style) -> str:
    """Return a sentence of a comparison for a terminal, on one line."""
    return "".join([
        style.paint(_clean(text), CODES[mark]) if mark in CODES else _clean(text) for mark, text in parts(sentence)
    ])  # fmt: skip


def to_text(result: DiffResult, style: Style) -> Iterator[str]:
    """Yield the lines for a terminal; none for a file without a difference."""

    def line(sentence: str) -> str:
        return painted(sentence, style)

    if result.is_same and not result.remarks and result.answers is None:
        return
    yield style.paint(_clean(f"{result.title} {result.names}".strip()), BOLD)
    yield from map(_clean, result.remarks)
    yield from map(line, _lines(result))
    for title, sentences in _details(result):
        yield ""
        yield line(title)
        yield from (f"  {line(sentence)}" for sentence in sentences)


def to_markdown(result: DiffResult, _style: Style) -> Iterator[str]:
    yield from (f"### {escape_markdown(result.title or 'Untitled RUI')}", "", _code(result.names))
    if result.is_same and not result.remarks:
        yield from ("", "The documents are the same.")
    for remark in result.remarks:
        yield from ("", f"> {escape_markdown(remark)}")
    lines = _lines(result)
    if lines:
        yield ""
    yield from (f"- {marked(sentence)}" for sentence in lines)
    details = _details(result)
    if details:
        yield from ("", "<details><summary>All changes</summary>")
        for title, sentences in details:
            yield from ("", f"#### {marked(title)}", "")
            yield from (f"- {marked(sentence)}" for sentence in sentences)
        yield from ("", "</details>")


def shared_lines(shared: Iterable[SharedChange], format_name: str, style: Style) -> Iterator[str]:
    """Yield the lines about what changes in several documents in the same way, before those about each of them."""
    sentences = [change.sentence for change in shared]
    if not sentences or format_name == "json":
        return
    if format_name == "markdown":
        yield from ("### In several documents", "", *(f"- {marked(sentence)}" for sentence in sentences), "")
        return
    yield style.paint("In several documents", BOLD)
    yield from (*(painted(sentence, style) for sentence in sentences), "")


def broken_markdown(title: str, name: str, remarks: Sequence[str]) -> Iterator[str]:
    """Yield the lines about a document of which a version is not JSON."""
    yield from (f"### {escape_markdown(title)}", "", f"{_code(name)} is not compared:")
    for remark in remarks:
        yield from ("", f"> {escape_markdown(remark)}")
    yield ""


def to_json_line(result: DiffResult, _style: Style) -> Iterator[str]:
    yield to_json({
        "same": result.is_same,
        "before": _version(result.before),
        "after": _version(result.after),
        "unknownEndpoints": [*result.unknown_endpoints],
        "addedErrors": result.added_errors,
        "repairedErrors": result.repaired_errors,
        "summary": [plain(line) for line in result.comparison.summary.lines],
        "changes": [_change(change) for change in result.comparison.changes],
        **_answers(result.answers),
    })  # fmt: skip


FORMATS: dict[str, Callable[[DiffResult, Style], Iterator[str]]] = {
    "text": to_text, "markdown": to_markdown, "json": to_json_line,
}  # fmt: skip
"""Functions that yield the lines about two documents, by the name of the format."""


def _lines(result: DiffResult) -> list[str]:
    """Return the summary; with notes, a line for each of them, and a summary of the changes that none is about."""
    if result.answers is None:
        return summary_of(change for change in result.comparison.changes if change not in result.shared).lines
    lines = []
    for answer in result.answers.answers:
        about = f"Note {answer.note.number}, {strong(answer.note.title)}: {answer.outcome.value}."
        lines.append(" ".join([about, *answer.lines]))
    unnoted = summary_of(result.answers.others).lines
    if unnoted:
        lines.append(" ".join(["Without a note:", *unnoted]))
    return lines


def _answers(answers: Answers | None) -> dict[str, object]:
    if answers is None:
        return {}
    return {
        "notes": [
            {
                "number": answer.note.number,
                "path": format_path(answer.note.path),
                "name": answer.note.name,
                "text": answer.note.text,
                "outcome": answer.outcome.value,
                "after": None if answer.path is None else format_path(answer.path),
                "sentences": [plain(line) for line in answer.lines],
            }
            for answer in answers.answers
        ],
        "withoutNote": [plain(line) for line in summary_of(answers.others).lines],
    }


def _details(result: DiffResult) -> list[tuple[str, list[str]]]:
    """Return the sentences about app, screens and navigation, if the summary does not contain all."""
    comparison = result.comparison
    summary = comparison.summary
    if result.answers is not None or not (summary.further or summary.counts_places or result.shared):
        return []
    details = [("app", comparison.app)]
    details += [(screen.title, screen.changes) for screen in comparison.screens]
    details.append(("navigation", comparison.navigation))
    return [
        (capitalized(title), [*dict.fromkeys(change.sentence for change in changes)])
        for title, changes in details
        if changes
    ]


def marked(sentence: str) -> str:
    """Return a sentence of a comparison as Markdown."""
    found = []
    for mark, text in parts(sentence):
        if mark is Mark.NAME:
            found.append(f"**{escape_markdown(text)}**")
        elif mark is Mark.CODE:
            found.append(_code(text))
        else:
            found.append(escape_markdown(text))
    return "".join(found)


def _code(text: str) -> str:
    """Return a text as code: in backticks where it has none."""
    text = _clean(text)
    if "`" in text or not text.strip():
        return f"<code>{escape_markdown(text)}</code>"
    return f"`{text}`"


def _clean(text: str) -> str:
    return escape_line(text.replace("\n", LINE_END))


def _version(version: Version) -> dict[str, object]:
    name = None if version.data is None else version.name
    return {"file": name, "title": version.title, "errors": version.error_count}


def _change(change: Change) -> dict[str, object]:
    return {
        "kind": change.kind.value,
        "area": change.area.value,
        "sentence": plain(change.sentence),
        "before": None if change.old is None else format_path(change.old),
        "after": None if change.new is None else format_path(change.new),
    }
