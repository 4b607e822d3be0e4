"""The path templates of a description: `/orders/7?x=1` → `/orders/{id}`, and the template that a path is meant as."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rui_common.suggest import edit_distance, nearest

MAX_LENGTH = 2_000
"""Characters of a path that is looked up."""

MAX_PLACEHOLDERS = 2
"""Placeholders in one segment of which the text between them is compared."""

MAX_COMPARED = 5_000
"""Templates that are compared with a path that fits none."""

MIN_MISSPELT = 4
"""Length from which a value of a parameter may be a misspelt name."""

MIN_SHORT = 3
"""Length from which the start of a name is short for it."""

MAX_COST = 3
"""Distance of a path from the template that it is probably meant as: the sum of the distances of its segments."""

_ANY_START = "{}"
_COST_OF_VALUE = 2
_COST_OF_SHORT = 2
_COST_OF_SEGMENT = 3
_PLACEHOLDER = re.compile(r"\{[^{}/]*\}")
_OWN_PLACEHOLDER = re.compile(r"\{[^/]+\}|:[A-Za-z_]\w*|<[^/]+>|\$\{[^/]+\}")
_INTEGER = re.compile(r"-?\d+")


class Match(NamedTuple):
    """A template that a path fits.

    Attributes:
        template: the template, without the base path of a server.
        suspect: a path that is probably meant, as a value of a parameter is a misspelt name; or ``""``.
    """

    template: str
    suspect: str


class _Segment(NamedTuple):
    """A segment of a template.

    Attributes:
        text: the segment, such as ``orders`` or ``{id}``.
        values: what it accepts; None if it is fixed.
    """

    text: str
    values: re.Pattern[str] | None

    def accepts(self, value: str) -> bool:
        """Return whether a segment of a path fits."""
        if self.values is None or self.text == value:
            return self.text == value
        return _OWN_PLACEHOLDER.fullmatch(value) is not None or self.values.fullmatch(value) is not None

    def distance(self, value: str) -> int | None:
        """Return how far a segment of a path is from one that fits; None if it is another one."""
        if self.accepts(value):
            return 0
        if self.values is not None:
            return _COST_OF_VALUE
        return _distance(value, self.text)


class _Template(NamedTuple):
    """A template with the base path of a server.

    Attributes:
        path: the template, without the base path.
        segments: all segments.
        takes_rest: whether the last one may contain slashes.
        is_readable: whether there is a GET operation.
    """

    path: str
    segments: tuple[_Segment, ...]
    takes_rest: bool
    is_readable: bool

    @property
    def start(self) -> str:
        """The first segment, or `_ANY_START` if it is a parameter."""
        if self.segments[0].values is None:
            return self.segments[0].text
        return _ANY_START

    @property
    def parameters(self) -> int:
        """The number of segments with parameters."""
        return sum(segment.values is not None for segment in self.segments)

    def is_value(self, index: int) -> bool:
        """Return whether a segment of a path that fits is the value of a parameter."""
        return index >= len(self.segments) or self.segments[index].values is not None

    def fits(self, values: list[str]) -> bool:
        """Return whether a path fits."""
        if len(values) != len(self.segments) and not (self.takes_rest and len(values) > len(self.segments)):
            return False
        return all(segment.accepts(value) for segment, value in zip(self.segments, values, strict=False))

    def only_difference(self, values: list[str]) -> int | None:
        """Return the index of the only segment that does not fit, of as many; None if there are none or several."""
        found = None
        for index, segment in enumerate(self.segments):
            if not segment.accepts(values[index]):
                if found is not None:
                    return None
                found = index
        return found

    def rank(self, values: list[str]) -> tuple[bool, ...]:
        """Return an order of templates that a path fits: those with equal segments at the start come first."""
        return tuple(segment.text != value for segment, value in zip(self.segments, values, strict=False))

    def distance(self, values: list[str]) -> int | None:
        """Return the distance of a path with as many segments; None if it is more than `MAX_COST`."""
        total = 0
        for segment, value in zip(self.segments, values, strict=True):
            distance = segment.distance(value)
            if distance is None or total + distance > MAX_COST:
                return None
            total += distance
        return total

    def filled(self, values: list[str]) -> str:
        """Return the path with the values that fit, and with the text of the template elsewhere."""
        parts = [
            value if segment.accepts(value) else segment.text
            for segment, value in zip(self.segments, values, strict=True)
        ]
        return "/" + "/".join(parts)


class PathIndex:
    """The templates of a description, by their number of segments."""

    def __init__(self) -> None:
        self._by_length: dict[int, list[_Template]] = {}
        self._by_start: dict[tuple[int, str], list[_Template]] = {}
        self._with_rest: list[_Template] = []

    def add(
        self,
        template: str,
        bases: tuple[str, ...],
        integers: frozenset[str],
        with_slashes: frozenset[str],
        *,
        is_readable: bool,
    ) -> None:
        """Add a template.

        Args:
            template: such as ``/orders/{id}``.
            bases: the paths of its servers, such as ``/v1`` or ``""``.
            integers: the names of its parameters that are integers.
            with_slashes: the names of its parameters that may contain slashes.
            is_readable: whether it has a GET operation.
        """
        for base in bases:
            segments = tuple(_segment(text, integers) for text in _split(base + template))
            takes_rest = segments[-1].text[1:-1] in with_slashes
            added = _Template(template, segments, takes_rest, is_readable)
            self._by_length.setdefault(len(segments), []).append(added)
            self._by_start.setdefault((len(segments), added.start), []).append(added)
            if takes_rest:
                self._with_rest.append(added)

    def find(self, path: str) -> list[Match]:
        """Return the templates that a path fits, those with equal segments at the start first."""
        if len(path) > MAX_LENGTH:
            return []
        values = _split(path_only(path))
        candidates = [*self._same_start(values), *self._with_rest]
        fitting = {template.path: template for template in candidates if template.fits(values)}
        ranked = sorted(fitting.values(), key=lambda template: template.rank(values))
        return [Match(template.path, self._misspelt(template, values)) for template in ranked]

    def _same_start(self, values: list[str]) -> list[_Template]:
        """Return the templates with as many segments whose first one is equal or a parameter."""
        length = len(values)
        return [*self._by_start.get((length, values[0]), ()), *self._by_start.get((length, _ANY_START), ())]

    def _misspelt(self, template: _Template, values: list[str]) -> str:
        """Return the path with a fixed segment in place of a value that differs from it in one letter, or ``""``."""
        if template.parameters == 0:
            return ""
        others = self._by_length.get(len(values), []) if template.is_value(0) else self._same_start(values)
        for other in others:
            index = other.only_difference(values)
            if index is None or not template.is_value(index):
                continue
            value = values[index]
            is_name = len(value) >= MIN_MISSPELT and value.replace("-", "").replace("_", "").isalpha()
            if is_name and other.distance(values) == 1:
                return other.filled(values)
        return ""

    def closest(self, path: str) -> str | None:
        """Return the path that a path without a template is probably meant as: misspelt, or with a segment too many.

        Values of parameters stay as they are; one that does not fit is written as in the template.
        """
        if len(path) > MAX_LENGTH:
            return None
        ranks: dict[str, tuple[int, int]] = {}
        for text, rank in self._near(_split(path_only(path))):
            ranks[text] = min(rank, ranks.get(text, rank))
        ranked = sorted((rank, text) for text, rank in ranks.items())
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return None
        return ranked[0][1]

    def _near(self, values: list[str]) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield the paths with a GET operation that are near a path, each with its distance and its parameters."""
        for template in self._by_length.get(len(values), [])[:MAX_COMPARED]:
            distance = template.distance(values) if template.is_readable else None
            if distance is not None:
                yield template.filled(values), (distance, template.parameters)
        for index in range(len(values)):
            rest = values[:index] + values[index + 1 :]
            for template in self._by_length.get(len(rest), [])[:MAX_COMPARED]:
                if template.is_readable and template.fits(rest):
                    yield template.filled(rest), (_COST_OF_SEGMENT, template.parameters)


@lru_cache(maxsize=10_000)
def _distance(value: str, name: str) -> int | None:
    """Return the distance of a segment from a fixed one that it may be meant as; None if it is another one."""
    if nearest(value, (name,)) is not None:
        return max(1, edit_distance(value.lower(), name.lower()))
    if _is_short_for(value, name) or _is_short_for(name, value):
        return _COST_OF_SHORT
    return None


def _is_short_for(short: str, name: str) -> bool:
    """Return whether a name is short for another one: ``orgs`` for ``organizations``."""
    stem = short.lower().removesuffix("s")
    return len(stem) >= MIN_SHORT and len(stem) + 2 < len(name) and name.isalpha() and name.lower().startswith(stem)


def path_only(path: str) -> str:
    """Return a path without its query and fragment."""
    return path.partition("#")[0].partition("?")[0]


def _split(path: str) -> list[str]:
    return path.removeprefix("/").split("/")


def _segment(text: str, integers: frozenset[str]) -> _Segment:
    """Return a segment of a template."""
    if not _PLACEHOLDER.search(text):
        return _Segment(text, None)
    if _PLACEHOLDER.fullmatch(text) and text[1:-1] in integers:
        return _Segment(text, _INTEGER)
    fixed = [re.escape(part) for part in _PLACEHOLDER.split(text)]
    if len(fixed) > MAX_PLACEHOLDERS + 1:
        fixed = [fixed[0], fixed[-1]]
    return _Segment(text, re.compile("[^/]+".join(fixed)))
