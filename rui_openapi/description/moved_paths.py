"""Whole groups of paths that begin with another prefix in a new description, such as ``/v1`` and ``/v3``."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from rui_openapi.description.api import Api

MIN_MOVED = 3  # paths that have moved together; fewer may be others by chance

_PLACEHOLDER = re.compile(r"\{[^{}/]*\}")


class Moved(NamedTuple):
    """A group of paths that begin differently in the new description; a beginning may be ``""``."""

    before: str
    after: str
    number: int


def shape_of(template: str) -> str:
    """Return a path template without the names of its parameters, which no request contains."""
    return _PLACEHOLDER.sub("{}", template)


def moved_paths(old: Api, new: Api) -> list[Moved]:
    """Return the groups of paths of which each description has other beginnings alone, the largest first."""
    before, after = _shapes(old), _shapes(new)
    added: dict[str, set[str]] = {}  # rest of a path → the prefixes that it has in the new description
    for shape in after - before:
        for prefix, rest in _divided(shape):
            added.setdefault(rest, set()).add(prefix)
    moved: Counter[tuple[str, str]] = Counter()
    for shape in before - after:
        longest = next(((prefix, added[rest]) for prefix, rest in _divided(shape) if rest in added), None)
        if longest is not None:
            moved.update((longest[0], prefix) for prefix in longest[1])
    return [Moved(*prefixes, number) for prefixes, number in moved.most_common() if number >= MIN_MOVED]


def _shapes(api: Api) -> set[str]:
    """Return the shapes of all paths, with the base path of a server if there is one."""
    shapes: set[str] = set()
    for operation in api.operations.values():
        *with_base, alone = operation.templates
        shapes.update(map(shape_of, with_base or [alone]))
    return shapes


def _divided(shape: str) -> Iterator[tuple[str, str]]:
    """Yield the divisions of a path whose rest has a name, the longest rest first."""
    segments = shape.split("/")[1:]
    for number in range(len(segments)):
        rest = segments[number:]
        if any(segment and segment != "{}" for segment in rest):
            yield "".join(f"/{segment}" for segment in segments[:number]), "/".join(rest)
