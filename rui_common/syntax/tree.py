"""A lazy concrete syntax tree: the places of the members of objects and arrays.

The C scanner makes values without positions. To find a place in a valid text, this module walks the containers on the
way to it member by member, and skips other values with the same scanner. Each container remembers how far it was
walked. For a broken text the recovering parser provides the members of the containers that it read itself; the valid
ones in them are walked on demand.
"""

import json
import re
from collections.abc import Iterator, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import NamedTuple

from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.paths import Path
from rui_common.syntax.reader import Scan, skip_space, total_match
from rui_common.syntax.spans import Span

UNKNOWN = -1  # An end that is not computed yet, or the start of a missing value

scan: Scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
"""The scanner for valid values. Only the end that it returns is used."""


_skip_separator = total_match(r"[ \t\n\r]*,?[ \t\n\r]*")
# Possessive: before a closing bracket there may be 100,000 line ends, which no other split makes a match.
_SIMPLE_PROPERTY = re.compile(r'[ \t\n\r]*+,?[ \t\n\r]*+("([^"\\]*+)")[ \t\n\r]*+:[ \t\n\r]*+')


class Member:
    """A property of an object, an element of an array, or the root."""

    __slots__ = ("_end", "_members", "_text", "is_incomplete", "is_open", "key_span", "start", "step")

    def __init__(self, text: str, step: str | int, key_span: Span | None, start: int, end: int = UNKNOWN) -> None:
        self._text = text
        self._end = end
        self._members: Members | None = None
        self.step = step  # the decoded key or the index; `""` for the root
        self.key_span = key_span  # the key in the text, quotes included; None for elements and the root
        self.start = start  # the start of the value; `UNKNOWN` if it is missing, which happens only in broken texts
        self.is_open = False  # whether the text ends before the value does
        self.is_incomplete = False  # whether there is an error in the value, outside of its members

    @property
    def is_missing(self) -> bool:
        return self.start == UNKNOWN

    @property
    def end(self) -> int:
        if self._end == UNKNOWN and self.start != UNKNOWN:
            last = None if self._members is None else self._members.last
            if last is None:
                self._end = scan(self._text, self.start)[1]
            else:
                self._end = skip_space(self._text, last.end).end() + 1  # the closing bracket
        return self._end

    @property
    def first_offset(self) -> int:
        """The start of the key, or of the value if there is no key."""
        if self.key_span is None:
            return self.start
        return self.key_span.start

    @property
    def last_offset(self) -> int:
        """The end of the value, or of the key if the value is missing."""
        if self.is_missing and self.key_span is not None:
            return self.key_span.end
        return self.end

    @property
    def span(self) -> Span | None:
        """The value; None if it is missing."""
        if self.start == UNKNOWN:
            return None
        return Span(self.start, self.end)

    def text_at(self, offset: int) -> str:
        return self._text[offset]

    def set_end(self, end: int, members: "Members") -> None:
        """Set the end and the members of the value, for a parser that has read it."""
        self._end = end
        self._members = members

    def incomplete(self) -> Iterator[Path]:
        """Yield the paths, from here, of this value and of those in it that are incomplete and take effect."""
        if self.is_incomplete:
            yield ()
        members = self._members
        if members is not None:
            for member in members.all():
                may_be = member.is_incomplete or member._members is not None
                if may_be and members.get(member.step, unique=False) is member:
                    yield from ((member.step, *path) for path in member.incomplete())

    def members(self) -> "Members | None":
        """Return the members of the object or array that is the value; None for any other value."""
        if self._members is None and self.start != UNKNOWN and self._text[self.start] in "{[":
            walk = _elements
            if self._text[self.start] == "{":
                walk = _properties
            self._members = Members(walk(self._text, self.start))
        return self._members


class Members:
    """The members of one object or array in text order, duplicate keys included. `walk` is consumed on demand."""

    __slots__ = ("_by_step", "_is_walked", "_walk", "_walked")

    def __init__(self, walk: Iterator[Member]) -> None:
        self._walk = walk
        self._walked: list[Member] = []
        self._is_walked = False
        self._by_step: dict[str | int, Member] = {}

    def __iter__(self) -> Iterator[Member]:
        yield from self._walked
        while (member := self._next()) is not None:
            yield member

    def all(self) -> Sequence[Member]:
        """Return all members. They are walked once."""
        while self._next() is not None:
            pass
        return self._walked

    def get(self, step: str | int, *, unique: bool) -> Member | None:
        """Return the last member with this key or index; the first one if the keys are known to be unique."""
        if unique and step in self._by_step:
            return self._by_step[step]
        while (member := self._next()) is not None:
            if unique and member.step == step:
                return member
        return self._by_step.get(step)

    @property
    def last(self) -> Member | None:
        """The last member, or None before all members are walked."""
        if not self._walked or not self._is_walked:
            return None
        return self._walked[-1]

    def _next(self) -> Member | None:
        member = next(self._walk, None)
        if member is None:
            self._is_walked = True
            return None
        self._walked.append(member)
        # The last of several equal keys takes effect; in a broken text the last one that has a value.
        if member.start != UNKNOWN or member.step not in self._by_step:
            self._by_step[member.step] = member
        return member


class Reading(NamedTuple):
    """The result of reading a text."""

    value: object  # its value; None if there is none
    root: Member  # the root; of a broken text, with the members of all broken objects and arrays
    duplicate_keys: bool  # whether an object has a key more than once
    errors: tuple[SyntaxFault, ...] = ()  # the errors, in text order
    is_json: bool = True  # whether it is JSON at all
    is_rui: bool = False  # whether the text is broken and `value` is the only RUI in it
    is_complete: bool = True  # whether all of the text was read

    def incomplete(self) -> frozenset[Path]:
        """Return the paths of the objects and arrays with errors directly in them, and of broken values."""
        if self.is_json:
            return frozenset(self.root.incomplete())
        return frozenset({()})


def _properties(text: str, start: int) -> Iterator[Member]:
    """Yield the members of a valid object. Each is yielded before its end is known."""
    offset = start + 1
    while True:
        match = _SIMPLE_PROPERTY.match(text, offset)
        if match is not None:
            member = Member(text, match[2], Span(*match.span(1)), match.end())
        else:
            offset = _skip_separator(text, offset).end()
            if text[offset] == "}":
                return
            key, end = scanstring(text, offset + 1)
            colon = skip_space(text, end).end()
            member = Member(text, key, Span(offset, end), skip_space(text, colon + 1).end())
        yield member
        offset = member.end


def _elements(text: str, start: int) -> Iterator[Member]:
    """Yield the members of a valid array. Each is yielded before its end is known."""
    index = 0
    offset = start + 1
    while True:
        offset = _skip_separator(text, offset).end()
        if text[offset] == "]":
            return
        member = Member(text, index, None, offset)
        yield member
        offset = member.end
        index += 1
