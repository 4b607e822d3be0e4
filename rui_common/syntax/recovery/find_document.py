"""Find the documents in a text by the keys of their roots, and what tools have written into each of its lines.

A document may be behind prose of any length, in an object of another format, in lines with numbers, or in a template
with doubled braces.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rui_common.syntax.errors import FaultKind
from rui_common.syntax.root_keys import IDENTIFYING, ROOT_KEYS
from rui_common.syntax.spans import Span

_QUOTES = "\"'`\u201c\u201d\u201e\u00ab\u00bb"
# A string, or an escape outside of one. Without the escapes, each quote in an unclosed string is searched for its end.
_STRING = r"\"(?:[^\"\\\r\n]|\\[^\r\n])*\"|\\[^\r\n]"
# A property of the root up to its value, with quotes of any language or without; a string; a bracket.
_TOKEN = re.compile(
    rf"(?:[{_QUOTES}](?P<quoted>{ROOT_KEYS})[{_QUOTES}]|(?<![\w{_QUOTES}\\])(?P<bare>{ROOT_KEYS})\b)\s*(?:=>|[:=])\s*"
    rf"|{_STRING}|(?P<bracket>[{{}}\[\]])"
)
# The same where a quote may be missing, so that what is a string is not known.
_PROPERTY = re.compile(rf"\b({ROOT_KEYS})\b\\*+[\"'`\u201c\u201d\u00bb]?\s*+(?:=>|[:=])\s*+")
_KEY = re.compile(ROOT_KEYS)
_BRACES = re.compile(rf"{_STRING}|(?P<braces>\{{+|\}}+)")


@dataclass(eq=False, slots=True)
class _Container:
    """An object or array, or what looks like one: a bracket and what follows it up to its counterpart."""

    start: int
    parent: "_Container | None"  # None for the text itself
    object: "_Container | None"  # the innermost object at or around it; None without one
    names: set[str] = field(default_factory=set)  # its own keys that are keys of the root
    is_identified: bool = False  # whether one of them tells a RUI from other formats, and has an object or array
    end: int | None = None  # its end, if it has one
    is_claimed: bool = False  # whether it, or a container around it, has keys of the root

    @property
    def is_rui(self) -> bool:
        """Whether its own keys tell it from other formats; see `Vocabulary.is_rui`."""
        return self.is_identified or len(self.names - {*IDENTIFYING}) > 1

    def add_key(self, name: str, *, has_container: bool) -> None:
        """Add a key of the root, and whether its value is an object or array."""
        self.names.add(name)
        self.is_identified = self.is_identified or (has_container and name in IDENTIFYING)


class FoundDocument(NamedTuple):
    """A RUI in a text."""

    start: int  # the offset of its opening brace
    end: int | None  # the end of its closing brace; None without one
    is_nested: bool  # whether it is in another object or array


def find_documents(text: str, start: int) -> list[FoundDocument]:
    """Return the RUIs in a text from `start` on, in text order. One within another one does not count.

    There is none if keys of the root are outside of the brackets: a brace is missing then, so that it is not known
    where the document begins.
    """
    if _KEY.search(text, start) is None:  # so that a text of brackets alone takes little time
        return []
    whole = _Container(start, None, None)
    current = whole
    containers: list[_Container] = []
    for token in _TOKEN.finditer(text, start):
        name = token["quoted"] or token["bare"]
        bracket = token["bracket"]
        if name is not None:
            current.add_key(name, has_container=text.startswith(("{", "["), token.end()))
        elif bracket in {"{", "["}:
            current = _Container(token.start(), current, current.object)
            if bracket == "{":
                current.object = current
            containers.append(current)
        elif bracket is not None:
            current = _close(current, token.end(), is_object=bracket == "}")
    if whole.is_rui:
        return []
    return [*_outermost(containers)]


def names_rui(text: str) -> bool:
    """Return whether a text has the properties of a RUI, wherever they are."""
    whole = _Container(0, None, None)
    for match in _PROPERTY.finditer(text):
        whole.add_key(match[1], has_container=text.startswith(("{", "["), match.end()))
    return whole.is_rui


def _close(current: _Container, end: int, *, is_object: bool) -> _Container:
    """Return the container around the one that a bracket closes; `current` if it closes none."""
    closed = current.object if is_object else current
    if closed is None or closed.parent is None or (closed.object is closed) is not is_object:
        return current
    closed.end = end
    return closed.parent


def _outermost(containers: Iterable[_Container]) -> Iterator[FoundDocument]:
    """Yield the RUIs that are in no container with keys of a root, whose closing bracket may be missing."""
    for found in containers:
        parent = found.parent
        is_nested = parent is not None and parent.parent is not None
        is_inner = is_nested and parent is not None and parent.is_claimed
        found.is_claimed = is_inner or bool(found.names)
        if not is_inner and found.object is found and found.is_rui:
            yield FoundDocument(found.start, found.end, is_nested)


class Marks(NamedTuple):
    """What a tool has written into a text: a prefix of each line, or a second brace beside each one."""

    kind: FaultKind  # the kind of the error that reports it
    spans: list[Span]  # all of it
    shown: Span  # the first part, which the error is at
    words: str  # what it is called, as in ``Remove …``
    name: str  # what each line begins with; ``""`` for braces


class _LinePrefix(NamedTuple):
    """What tools put at the beginning of each line."""

    name: str  # as in ``Each line begins with …``
    words: str  # as in ``Remove …``
    pattern: re.Pattern[str]


_LINE_PREFIXES = (
    _LinePrefix("its number", "the numbers", re.compile(r"^[ \t]*(\d{1,6})(?:[\t→:]| ?[|│]|(?= ))", re.MULTILINE)),
    _LinePrefix("`>`", "the `>`", re.compile(r"^>(?: ?>)*", re.MULTILINE)),
    _LinePrefix("`+`", "the `+`", re.compile(r"^\+", re.MULTILINE)),
    _LinePrefix("`data:`", "`data:`", re.compile(r"^data:", re.MULTILINE)),
)
_MIN_LINES = 2


def find_marks(text: str, start: int) -> Marks | None:
    """Return the prefix of the lines in which a document is, or the second braces of a template; None without them."""
    return _line_prefixes(text, start) or _doubled_braces(text, start)


def _line_prefixes(text: str, start: int) -> Marks | None:
    """Return the prefix of the lines in which a document is. Numbers are one if each is one more than the last."""
    for prefix in _LINE_PREFIXES:
        for run in _runs(text, start, prefix.pattern):
            if len(run) >= _MIN_LINES and _names_root(text, run):
                spans = _with_space(text, run)
                return Marks(FaultKind.LINE_PREFIX, spans, spans[0], prefix.words, prefix.name)
    return None


def _runs(text: str, start: int, pattern: re.Pattern[str]) -> Iterator[list[Span]]:
    """Yield the ranges of a pattern in lines that follow each other."""
    run: list[Span] = []
    next_line = next_number = 0
    for match in pattern.finditer(text, start):
        number = int(match[1]) if match.re.groups else next_number
        if run and (match.start() != next_line or number != next_number):
            yield run
            run = []
        run.append(Span(*match.span()))
        line_end = text.find("\n", match.end())
        next_line = line_end + 1 if line_end >= 0 else len(text)
        next_number = number + 1 if match.re.groups else 0
    yield run


def _with_space(text: str, run: list[Span]) -> list[Span]:
    """Return ranges with the space after them, if each has one or ends its line."""
    if any(text[span.end : span.end + 1] not in {" ", "\r", "\n", ""} for span in run):
        return run
    return [Span(span.start, span.end + text.startswith(" ", span.end)) for span in run]


def _names_root(text: str, run: list[Span]) -> bool:
    """Return whether lines contain a property of the root."""
    start, end = run[0].start, run[-1].end
    if _KEY.search(text, start, end) is None:  # so that a text of braces alone takes little time
        return False
    return any(token["quoted"] or token["bare"] for token in _TOKEN.finditer(text, start, end))


def _doubled_braces(text: str, start: int) -> Marks | None:
    """Return every second brace, if all braces of a text are doubled, as in a template."""
    opening = text.find("{{", start)
    if opening < 0:
        return None
    runs = [Span(*match.span()) for match in _BRACES.finditer(text, opening) if match["braces"]]
    if any((run.end - run.start) % 2 for run in runs) or not _names_root(text, runs):
        return None
    spans = [Span((run.start + run.end) // 2, run.end) for run in runs]
    return Marks(FaultKind.DOUBLED_BRACES, spans, Span(opening, opening + 2), "the second of each two braces", "")
