"""Where the members of objects and arrays stand in a text, found when somebody asks.

Values are made by the C scanner, which knows no positions. To find a place in a sound text, the containers on the way
to it are walked member by member; what is passed over is passed over by that same scanner. Each container remembers
how far it was walked. For a broken text the recovery puts down the members of the containers that it had to read
itself; all below them that is sound is walked in the same way.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]

from rui_common.syntax.reader import skip_space
from rui_common.syntax.spans import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rui_common.syntax.reader import Scan

UNKNOWN = -1
"""An offset that nobody has asked for yet, or, as the start of a value, that of a value that is missing."""

scan: Scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
"""The scanner for values known to be sound. It is used for where they end."""


# It matches anything, hence never None.
_skip_separator: Callable[[str, int], re.Match[str]] = re.compile(r"[ \t\n\r]*,?[ \t\n\r]*").match  # type: ignore[assignment]
_PLAIN_PROPERTY = re.compile(r'[ \t\n\r]*,?[ \t\n\r]*("([^"\\]*)")[ \t\n\r]*:[ \t\n\r]*')


class Member:
    """A property of an object, an element of an array, or the root.

    Attributes:
        step: the key or index (decoded; ``""`` for the root).
        key_span: the key in the text, quotes included; None for elements and the root.
        start: the offset at which the value begins; `UNKNOWN` if it is missing, as happens in broken texts only.
        is_open: whether the text ends before the value does.
    """

    __slots__ = ("_end", "_text", "inside", "is_open", "key_span", "start", "step")

    def __init__(self, text: str, step: str | int, key_span: Span | None, start: int, end: int = UNKNOWN) -> None:
        self._text = text
        self._end = end
        self.step = step
        self.key_span = key_span
        self.start = start
        self.is_open = False
        self.inside: Members | None = None

    def __repr__(self) -> str:
        return f"Member({self.step!r}, {self.key_span}, {self.span})"

    @property
    def end(self) -> int:
        """The offset behind the value."""
        if self._end == UNKNOWN and self.start != UNKNOWN:
            last = None if self.inside is None else self.inside.last
            # What has been walked to its last member ends with the bracket behind that.
            at = None if last is None else skip_space(self._text, last.end).end()
            self._end = scan(self._text, self.start)[1] if at is None else at + 1
        return self._end

    @property
    def span(self) -> Span | None:
        """The value; None if it is missing."""
        return None if self.start == UNKNOWN else Span(self.start, self.end)

    def text_at(self, offset: int) -> str:
        """The character of the text at an offset."""
        return self._text[offset]

    def settle(self, end: int, inside: Members) -> None:
        """Put down where the value ends and what is in it; the recovery knows when it has read it."""
        self._end = end
        self.inside = inside

    def moved(self, text: str, by: int, step: str | int) -> Member:
        """The same in a text that has this one's text `by` characters further on, under another key or index."""
        key = self.key_span and Span(self.key_span.start + by, self.key_span.end + by)
        if self.start == UNKNOWN:
            return Member(text, step, key, UNKNOWN)
        member = Member(text, step, key, self.start + by, UNKNOWN if self._end == UNKNOWN else self._end + by)
        member.is_open = self.is_open
        if self.inside is not None:
            member.inside = Members(below.moved(text, by, below.step) for below in self.inside)
        return member

    def members(self) -> Members | None:
        """What stands in the object or array that is the value; None for any other value."""
        if self.inside is None and self.start != UNKNOWN and self._text[self.start] in "{[":
            self.inside = Members(_walk(self._text, self.start))
        return self.inside


class Members:
    """The members of one object or array, in text order, repeated keys included.

    Args:
        walk: gives the members; it is taken from only as far as needed.
    """

    __slots__ = ("_by_step", "_found", "_is_walked", "_walk")

    def __init__(self, walk: Iterator[Member]) -> None:
        self._walk = walk
        self._found: list[Member] = []
        self._is_walked = False
        self._by_step: dict[str | int, Member] = {}

    def __iter__(self) -> Iterator[Member]:
        yield from self._found
        while (member := self._next()) is not None:
            yield member

    def get(self, step: str | int, *, unique: bool) -> Member | None:
        """The member with this key or index, of several the last.

        Args:
            step: the key or index.
            unique: whether keys are known not to repeat, so that the first one found is the last.
        """
        if unique and step in self._by_step:
            return self._by_step[step]
        while (member := self._next()) is not None:
            if unique and member.step == step:
                return member
        return self._by_step.get(step)

    @property
    def last(self) -> Member | None:
        """The last member, if it is known to be that."""
        return self._found[-1] if self._found and self._is_walked else None

    def _next(self) -> Member | None:
        member = next(self._walk, None)
        if member is None:
            self._is_walked = True
        else:
            self._found.append(member)
            # Of repeated keys the last one counts, in a broken text the last one that has a value.
            if member.start != UNKNOWN or member.step not in self._by_step:
                self._by_step[member.step] = member
        return member


def _walk(text: str, start: int) -> Iterator[Member]:
    return _properties(text, start) if text[start] == "{" else _elements(text, start)


def _properties(text: str, start: int) -> Iterator[Member]:
    """The members of a sound object. Each is given before it is known where its value ends."""
    at = start + 1
    while True:
        match = _PLAIN_PROPERTY.match(text, at)
        if match is not None:
            member = Member(text, match[2], Span(*match.span(1)), match.end())
        else:
            at = _skip_separator(text, at).end()
            if text[at] == "}":
                return
            key, end = scanstring(text, at + 1)
            colon = skip_space(text, end).end()
            member = Member(text, key, Span(at, end), skip_space(text, colon + 1).end())
        yield member
        at = member.end


def _elements(text: str, start: int) -> Iterator[Member]:
    """The members of a sound array. Each is given before it is known where it ends."""
    index = 0
    at = start + 1
    while True:
        at = _skip_separator(text, at).end()
        if text[at] == "]":
            return
        member = Member(text, index, None, at)
        yield member
        at = member.end
        index += 1
