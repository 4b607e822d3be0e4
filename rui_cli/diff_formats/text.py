"""A comparison as text for a terminal: removed words as ``[-old-]``, added words as ``{+new+}``, as git writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rui_cli.diff_result import DiffResult
from rui_cli.output import Style, escape_control
from rui_inspector.compare.kinds import ChangeKind
from rui_inspector.compare.report import Form, Item, Phrase, Report

IS_TEXT = True
BOLD = "1"
CODES = {
    Form.QUIET: "2",
    Form.NAME: BOLD,
    Form.CODE: "35",
    Form.REMOVED: "31",
    Form.ADDED: "32",
}
"""Form of a phrase → the codes of its colour."""

KIND_CODES = {
    ChangeKind.ADDED: "1;32",
    ChangeKind.REMOVED: "1;31",
    ChangeKind.CHANGED: "1;33",
    ChangeKind.MOVED: "1;34",
}
MARKS = {Form.REMOVED: ("[-", "-]"), Form.ADDED: ("{+", "+}")}
LINE_END = "↵"
INDENT = "  "


def render(results: Iterable[DiffResult], style: Style) -> Iterator[str]:
    """Yield the comparisons; no text for files without a difference."""
    is_first = True
    for result in results:
        lines = list(_Writer(style).lines(result))
        if lines:
            yield ("" if is_first else "\n") + "".join([f"{line}\n" for line in lines])
            is_first = False


class _Writer:
    def __init__(self, style: Style) -> None:
        self._paint = style.paint

    def lines(self, result: DiffResult) -> Iterator[str]:
        if result.is_same and not result.note:
            return
        title = " ".join([one for one in (result.title, result.names) if one])
        yield self._paint(_clean(title), BOLD)
        for note in (result.note, *result.notes()):
            if note:
                yield _clean(note)
        report = Report(result.comparison)
        for topic, counts, _ in report.headlines():
            yield f"{_clean(topic[:1].upper() + topic[1:])}: {_clean(counts)}"
        yield from self._section("Data", report.endpoints())
        screens = [screen for screen in result.comparison.screens if screen.kinds]
        navigation = report.navigation()
        if screens or navigation:
            yield from ("", self._paint("Screens", BOLD))
        yield from self._items(navigation, INDENT)
        for screen in screens:
            yield from self._items([report.screen(screen)], INDENT)
            yield from self._items(report.nodes(screen), INDENT * 2)
        yield from self._section("The rest", report.rest())

    def _section(self, title: str, items: list[Item]) -> Iterator[str]:
        if items:
            yield from ("", self._paint(title, BOLD))
            yield from self._items(items, INDENT)

    def _items(self, items: Iterable[Item], indent: str) -> Iterator[str]:
        for item in items:
            signs = "".join([self._paint(kind.sign, KIND_CODES[kind]) for kind in item.kinds])
            yield f"{indent}{signs} {self._line(item.head)}"
            for line in item.lines:
                yield f"{indent}{INDENT * 2}{self._line(line)}"

    def _line(self, phrases: Iterable[Phrase]) -> str:
        return "".join([self._phrase(phrase) for phrase in phrases])

    def _phrase(self, phrase: Phrase) -> str:
        start, end = MARKS.get(phrase.form, ("", ""))
        text = f"{start}{_clean(phrase.text)}{end}"
        codes = CODES.get(phrase.form)
        if codes is None:
            return text
        return self._paint(text, codes)


def _clean(text: str) -> str:
    return escape_control(text.replace("\n", LINE_END))
