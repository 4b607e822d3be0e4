"""The path templates of a description: `/orders/7?x=1` → `/orders/{id}`, and the template that a path is meant as."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rui_common.suggest import edit_distance, nearest

MAX_STEPS = 5_000
"""Segments that are compared for one path."""

MAX_SEGMENTS = 50
"""Segments of a path that is looked up."""

MIN_MISSPELT = 4
"""Length from which a value of a parameter may be a misspelt name."""

MIN_SHORT = 3
"""Length from which the start of a name is short for it."""

_PLACEHOLDER = re.compile(r"\{[^{}/]*\}")
_OWN_PLACEHOLDER = re.compile(r"\{[^/]+\}|:[A-Za-z_]\w*|<[^/]+>|\$\{[^/]+\}")
_INTEGER = re.compile(r"-?\d+")
_COST_OF_SEGMENT = 3
_COST_OF_VALUE = 2
_MAX_COST_OF_REST = 1
"""Distance up to which a value with slashes is a misspelt path."""


class Match(NamedTuple):
    """A template that a path fits.

    Attributes:
        template: the template, without the base path of a server.
        suspect: a path that is probably meant, as a value of a parameter is a misspelt name; or ``""``.
    """

    template: str
    suspect: str


class _Near(NamedTuple):
    """The start of a path that is near another one.

    Attributes:
        cost: how far it is from the other one.
        fixed: the number of its fixed segments.
        parts: its segments.
    """

    cost: int
    fixed: int
    parts: tuple[str, ...]

    def with_name(self, name: str, cost: int) -> _Near:
        """Return the path with a fixed segment at its end."""
        return _Near(self.cost + cost, self.fixed + 1, (*self.parts, name))

    def with_value(self, value: str, cost: int) -> _Near:
        """Return the path with the value of a parameter at its end."""
        return _Near(self.cost + cost, self.fixed, (*self.parts, value))


class _Parameter(NamedTuple):
    """A segment with parameters. Segments that differ only in the names of parameters are one.

    Attributes:
        text: the segment as it is in the first template, such as ``{id}``.
        pattern: the values of the segment.
        is_integer: whether the segment is one parameter, an integer.
        takes_rest: whether its value may contain slashes.
        node: the segments after it.
    """

    text: str
    pattern: re.Pattern[str]
    is_integer: bool
    takes_rest: bool
    node: _Node

    def accepts(self, segment: str) -> bool:
        """Return whether a segment of a path is a value."""
        if _OWN_PLACEHOLDER.fullmatch(segment):
            return True
        if self.is_integer:
            return _INTEGER.fullmatch(segment) is not None
        return self.pattern.fullmatch(segment) is not None


class _Node:
    """The segments that may follow a position in a path.

    Attributes:
        names: fixed segment → the node after it.
        parameters: the segments with parameters, by their fixed text, and whether it is an integer or takes the rest.
        templates: the templates that end here.
        is_readable: whether one of them has a GET operation.
    """

    __slots__ = ("is_readable", "names", "parameters", "templates")

    def __init__(self) -> None:
        self.names: dict[str, _Node] = {}
        self.parameters: dict[tuple[str, bool, bool], _Parameter] = {}
        self.templates: list[str] = []
        self.is_readable = False


class PathIndex:
    """A tree of the segments of all templates."""

    def __init__(self) -> None:
        self._root = _Node()
        self._steps = 0

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
            node = self._root
            for segment in _segments(base + template):
                node = _next_node(node, segment, integers, with_slashes)
            if template not in node.templates:
                node.templates.append(template)
            node.is_readable = node.is_readable or is_readable

    def find(self, path: str) -> list[Match]:
        """Return the templates that a path fits, those with more fixed segments at the start first."""
        segments = _segments(path_only(path))
        self._steps = MAX_STEPS
        if len(segments) > MAX_SEGMENTS:
            return []
        return list(self._find(self._root, segments, 0, ""))

    def _find(self, node: _Node, segments: list[str], index: int, suspect: str) -> Iterator[Match]:
        self._steps -= 1
        if self._steps < 0:
            return
        if index == len(segments):
            yield from (Match(template, suspect) for template in node.templates)
            return
        segment = segments[index]
        if segment in node.names:
            yield from self._find(node.names[segment], segments, index + 1, suspect)
        for parameter in node.parameters.values():
            if parameter.accepts(segment):
                meant = suspect or self._misspelt(node, segments, index)
                yield from self._find(parameter.node, segments, index + 1, meant)
            if parameter.takes_rest:
                meant = suspect or self._closest(segments, _MAX_COST_OF_REST)
                yield from (Match(template, meant) for template in parameter.node.templates)

    def _misspelt(self, node: _Node, segments: list[str], index: int) -> str:
        """Return the path with a fixed segment in place of a value that differs from it in one letter, or ``""``."""
        segment = segments[index]
        if len(segment) < MIN_MISSPELT or not segment.replace("-", "").replace("_", "").isalpha():
            return ""
        name = nearest(segment, node.names)
        if name is None or edit_distance(segment.lower(), name.lower()) > 1:
            return ""
        if not any(True for _ in self._find(node.names[name], segments, index + 1, "")):
            return ""
        return "/" + "/".join([*segments[:index], name, *segments[index + 1 :]])

    def closest(self, path: str) -> str | None:
        """Return the path that a path without a template is probably meant as: misspelt, or a segment too few or many.

        Values of parameters stay as they are; a missing one is written as in the template.
        """
        segments = _segments(path_only(path))
        if len(segments) > MAX_SEGMENTS:
            return None
        self._steps = MAX_STEPS
        return self._closest(segments, _COST_OF_SEGMENT) or None

    def _closest(self, segments: list[str], max_cost: int) -> str:
        """Return the closest path with more fixed segments than the others at its distance, or ``""``."""
        best: dict[str, tuple[int, int]] = {}
        for near in self._near(self._root, segments, 0, _Near(0, 0, ())):
            text = "/" + "/".join(near.parts)
            rank = (near.cost, -near.fixed)
            if near.cost <= max_cost and near.parts != (*segments,):
                best[text] = min(rank, best.get(text, rank))
        ranked = sorted((rank, text) for text, rank in best.items())
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return ""
        return ranked[0][1]

    def _near(self, node: _Node, segments: list[str], index: int, near: _Near) -> Iterator[_Near]:
        """Yield the paths with a GET operation that are near a path."""
        self._steps -= 1
        if self._steps < 0:
            return
        if index == len(segments):
            if node.is_readable:
                yield near
        else:
            segment = segments[index]
            if segment in node.names:
                yield from self._near(node.names[segment], segments, index + 1, near.with_name(segment, 0))
            for parameter in node.parameters.values():
                if parameter.accepts(segment):
                    yield from self._near(parameter.node, segments, index + 1, near.with_value(segment, 0))
                elif near.cost == 0:
                    inner = near.with_value(parameter.text, _COST_OF_VALUE)
                    yield from self._near(parameter.node, segments, index + 1, inner)
        if near.cost < _COST_OF_SEGMENT:
            yield from self._edited(node, segments, index, near)

    def _edited(self, node: _Node, segments: list[str], index: int, near: _Near) -> Iterator[_Near]:
        """Yield the paths with another segment here, without it, or with one before it."""
        if index < len(segments):
            segment = segments[index]
            for name, after in node.names.items():
                distance = _distance(segment, name)
                if distance:
                    yield from self._near(after, segments, index + 1, near.with_name(name, distance))
            if near.cost == 0:
                yield from self._near(node, segments, index + 1, near._replace(cost=_COST_OF_SEGMENT))
        if near.cost == 0:
            for name, after in node.names.items():
                yield from self._near(after, segments, index, near.with_name(name, _COST_OF_SEGMENT))
            if index == len(segments):
                for parameter in node.parameters.values():
                    inner = near.with_value(parameter.text, _COST_OF_SEGMENT)
                    yield from self._near(parameter.node, segments, index, inner)


def _distance(segment: str, name: str) -> int:
    """Return the distance of a segment from a fixed one that it may be meant as; 0 if it is that or another one."""
    if name == segment:
        return 0
    if _is_short_for(segment, name) or _is_short_for(name, segment):
        return 1
    if nearest(segment, (name,)) is None:
        return 0
    return max(1, edit_distance(segment.lower(), name.lower()))


def _is_short_for(short: str, name: str) -> bool:
    """Return whether a name is short for another one: ``orgs`` for ``organizations``."""
    stem = short.lower().removesuffix("s")
    return len(stem) >= MIN_SHORT and len(stem) + 2 < len(name) and name.isalpha() and name.lower().startswith(stem)


def path_only(path: str) -> str:
    """Return a path without its query and fragment."""
    return path.partition("#")[0].partition("?")[0]


def _segments(path: str) -> list[str]:
    return path.removeprefix("/").split("/")


def _next_node(node: _Node, segment: str, integers: frozenset[str], with_slashes: frozenset[str]) -> _Node:
    """Return the node after a segment of a template, made if necessary."""
    if "{" not in segment or not _PLACEHOLDER.search(segment):
        return node.names.setdefault(segment, _Node())
    name = segment[1:-1] if _PLACEHOLDER.fullmatch(segment) else ""
    key = (_PLACEHOLDER.sub("{}", segment), name in integers, name in with_slashes)
    if key not in node.parameters:
        fixed = [re.escape(text) for text in _PLACEHOLDER.split(segment)]
        node.parameters[key] = _Parameter(segment, re.compile("[^/]+".join(fixed)), key[1], key[2], _Node())
    return node.parameters[key].node
