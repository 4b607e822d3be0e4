"""The path templates of a description: `/orders/7?x=1` → `/orders/{id}`, and the template that a path is meant as."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from rui_common.suggest import edit_distance, nearest

MAX_LENGTH = 2_000
"""Characters of a path that is looked up."""

MIN_MISSPELT = 4
"""Length from which a value of a parameter may be a misspelt name."""

MAX_COST = 3
"""Distance of a path from the template that it is probably meant as: the sum of the distances of its segments."""

_COST_OF_VALUE = 2
_PLACEHOLDER = re.compile(r"\{[^{}/]*\}")
_OWN_PLACEHOLDER = re.compile(r"\{[^/]+\}|:[A-Za-z_]\w*|<[^/]+>|\$\{[^/]+\}")


class _Segment(NamedTuple):
    """A segment of a template, such as ``orders`` or ``{id}``, and what it accepts; None if it is fixed."""

    text: str
    values: re.Pattern[str] | None

    def accepts(self, value: str) -> bool:
        if self.values is None or self.text == value:
            return self.text == value
        return _OWN_PLACEHOLDER.fullmatch(value) is not None or self.values.fullmatch(value) is not None

    def cost(self, value: str) -> int:
        """Return how far a value that does not fit is from one that does."""
        if self.values is not None:
            return _COST_OF_VALUE
        if nearest(value, (self.text,)) is not None:
            return max(1, edit_distance(value.lower(), self.text.lower()))
        return MAX_COST + 1


class _Template(NamedTuple):
    """A template: without the base path of a server, its segments with it, and whether the last one takes slashes."""

    path: str
    segments: tuple[_Segment, ...]
    takes_rest: bool

    def misfits(self, values: list[str]) -> Iterator[int]:
        """Yield the indexes of the segments that do not fit."""
        pairs = zip(self.segments, values, strict=False)
        return (index for index, (segment, value) in enumerate(pairs) if not segment.accepts(value))

    def rank(self, values: list[str]) -> tuple[bool, ...]:
        """Return an order of templates that a path fits: those with equal segments at the start come first."""
        return tuple(segment.text != value for segment, value in zip(self.segments, values, strict=False))

    def distance(self, values: list[str]) -> int:
        """Return the distance of a path with as many segments."""
        cost = 0
        for index in self.misfits(values):
            cost += self.segments[index].cost(values[index])
            if cost > MAX_COST:
                break
        return cost

    def filled(self, values: list[str]) -> str:
        """Return the path with the values that fit, and with the text of the template elsewhere."""
        filled = list(values)
        for index in self.misfits(values):
            filled[index] = self.segments[index].text
        return "/" + "/".join(filled)


class PathIndex:
    """The templates of a description, by their number of segments."""

    def __init__(self) -> None:
        self._by_length: dict[int, list[_Template]] = {}
        self._with_rest: list[_Template] = []

    def add(self, template: str, bases: tuple[str, ...], with_slashes: frozenset[str]) -> None:
        """Add a template with the paths of its servers, and the names of its multi-segment parameters."""
        for base in bases:
            segments = tuple(map(_segment, _split(base + template)))
            added = _Template(template, segments, segments[-1].text[1:-1] in with_slashes)
            self._by_length.setdefault(len(segments), []).append(added)
            if added.takes_rest:
                self._with_rest.append(added)

    def find(self, path: str) -> tuple[str, str] | None:
        """Return the template that a path fits, and the path that is meant if it has a misspelt name, or ``""``."""
        if not path.startswith("/") or len(path) > MAX_LENGTH:
            return None
        values = _split(path)
        longer = [template for template in self._with_rest if len(template.segments) < len(values)]
        candidates = [*self._by_length.get(len(values), ()), *longer]
        fitting = [one for one in candidates if next(one.misfits(values), None) is None]
        if not fitting:
            return None
        best = min(fitting, key=lambda template: template.rank(values))
        return best.path, self._misspelt(best, values)

    def _misspelt(self, template: _Template, values: list[str]) -> str:
        """Return the path with a fixed segment in place of a value that differs from it in one letter, or ``""``."""
        names = {
            index
            for index, value in enumerate(values)
            if len(value) >= MIN_MISSPELT and value.replace("-", "").replace("_", "").isalpha()
            if template.segments[min(index, len(template.segments) - 1)].values is not None
        }
        for other in self._by_length.get(len(values), ()) if names else ():
            wrong = list(islice(other.misfits(values), 2))
            if len(wrong) == 1 and wrong[0] in names and other.segments[wrong[0]].cost(values[wrong[0]]) == 1:
                return other.filled(values)
        return ""

    def closest(self, path: str) -> str:
        """Return the path that a path without a template is probably a misspelling of, or ``""``.

        Values of parameters stay as they are; one that does not fit is written as in the template.
        """
        if len(path) > MAX_LENGTH:
            return ""
        values = _split(path)
        distances = [(template.distance(values), template) for template in self._by_length.get(len(values), ())]
        ranked = sorted({(cost, template.filled(values)) for cost, template in distances if cost <= MAX_COST})
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return ""
        return ranked[0][1]


def path_only(path: str) -> str:
    """Return a path without its query and fragment."""
    return path.partition("#")[0].partition("?")[0]


def _split(path: str) -> list[str]:
    return path_only(path).removeprefix("/").split("/")


def _segment(text: str) -> _Segment:
    """Return a segment of a template."""
    if not _PLACEHOLDER.search(text):
        return _Segment(text, None)
    first, *_, last = map(re.escape, _PLACEHOLDER.split(text))
    return _Segment(text, re.compile(f"{first}[^/]+{last}"))  # text between two placeholders could match in many ways
