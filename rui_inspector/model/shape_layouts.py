"""What is the same for all objects of one shape that have the same properties: found once, used for each of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rui_common.syntax.paths import format_path
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.roles import DESCRIPTION, ENDPOINT, LABEL, LAYOUT, METHOD, SELECT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary

MOST_KEPT, MOST_NAMES, LONGEST_NAMES = 1000, 24, 256
"""What is remembered from page to page: so many things, each about so many names with so many characters in all.
Names are a stranger's, who may make up any."""


class RequestNames(NamedTuple):
    """The properties of a shape that say together where data comes from; ``""`` for what it does not have."""

    method: str
    endpoint: str
    select: str


@dataclass(slots=True, eq=False)
class Plan:
    """What is the same for such objects.

    Attributes:
        shape: their shape; None if the vocabulary has none for them.
        order: their properties in canonical order, each with its declaration if it has one.
        labels: those of them that they may be called by, the best first.
        lists: those that hold nodes, each with what it holds and how it goes on from the path of the object.
        requests: those that hold an object that says where data comes from, each with the names in it.
        layout: the one that says how their nodes are laid out, and its value for side by side; else ``("", "")``.
        is_usual: whether all of them are declared and stand in canonical order, as in nearly every document.
        lines: a function that writes such nodes as lines of JSON, once there is one.
        rows: one that writes what is in them as HTML.
        gist: one that writes what they say of themselves while they are closed.
    """

    shape: Shape | None
    order: tuple[tuple[str, Prop | None], ...]
    labels: tuple[str, ...]
    lists: tuple[tuple[str, NodeKind, str], ...] = ()
    requests: tuple[tuple[str, RequestNames], ...] = ()
    layout: tuple[str, str] = ("", "")
    is_usual: bool = False
    lines: Callable[..., bool] | None = None
    rows: Callable[..., str] | None = None
    summary: Callable[..., str] | None = None


class Plans:
    """The plans of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._labels = names_in(vocabulary, LABEL)
        self._kept: dict[tuple[Shape | None, tuple[str, ...]], Plan] = {}

    def plan(self, shape: Shape | None, names: tuple[str, ...]) -> Plan:
        """The plan for objects of a shape that have these properties, in the order of the document."""
        key = shape, names
        found = self._kept.get(key)
        if found is None:
            found = self._made(shape, names)
            if len(self._kept) < MOST_KEPT and are_few(names):
                self._kept[key] = found
                found.is_usual = shape is not None and tuple(name for name, prop in found.order if prop) == names
        return found

    def _made(self, shape: Shape | None, names: tuple[str, ...]) -> Plan:
        order = ordered(shape, names)
        own = tuple(prop.name for prop in shape.labels) if shape is not None else ()
        labels = tuple(name for name in dict.fromkeys((*own, *self._labels)) if name in names)
        if shape is None:
            return Plan(shape, order, labels)
        kinds = [(name, prop.kind) for name, prop in order if prop is not None and name in shape.props]
        layout = next((prop for prop in shape.having(LAYOUT) if prop.name in names), None)
        return Plan(
            shape, order, labels,
            lists=tuple(
                (name, kind.items, format_path(("", name)).removeprefix(format_path(("",))))
                for name, kind in kinds
                if isinstance(kind, ListKind) and isinstance(kind.items, NodeKind)
            ),
            requests=tuple(_requests(kinds)),
            layout=(layout.name, layout.row) if layout is not None else ("", ""),
        )  # fmt: skip


@lru_cache(8)
def plans_of(vocabulary: Vocabulary) -> Plans:
    """The plans of a vocabulary."""
    return Plans(vocabulary)


@lru_cache(8)
def names_in(vocabulary: Vocabulary, role: str) -> tuple[str, ...]:
    """The names that properties of a role have anywhere in a vocabulary, those nearest to the root first."""
    return tuple(dict.fromkeys(prop.name for shape in vocabulary.shapes.values() for prop in shape.having(role)))


def are_few(names: tuple[str, ...]) -> bool:
    """Whether what is found out about such names may be remembered."""
    return len(names) <= MOST_NAMES and len("".join(names)) <= LONGEST_NAMES


def ordered(shape: Shape | None, names: tuple[str, ...]) -> tuple[tuple[str, Prop | None], ...]:
    """Names of properties in canonical order, each with its declaration if it has one."""
    declared = {**shape.props, **shape.suggested} if shape is not None else {}
    found = {*names}
    known = [(name, prop) for name, prop in declared.items() if name in found]
    return (*known, *((name, None) for name in names if name not in declared))


def order_of(shape: Shape | None, names: tuple[str, ...]) -> tuple[tuple[str, Prop | None], ...]:
    """The same, remembered; objects of one shape mostly have the same properties."""
    return _kept_order(shape, names) if are_few(names) else ordered(shape, names)


_kept_order = lru_cache(MOST_KEPT)(ordered)


def callings(vocabulary: Vocabulary, shape: Shape | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of properties that say what an object is called, and of those that say what it is for; best first."""
    labels = [prop.name for prop in shape.labels] if shape is not None else []
    return tuple(dict.fromkeys((*labels, *names_in(vocabulary, LABEL)))), names_in(vocabulary, DESCRIPTION)


@lru_cache(256)
def request_names(shape: Shape) -> RequestNames | None:
    """The properties by which objects of a shape say where data comes from; None if they do not."""
    names = [next((prop.name for prop in shape.having(role)), "") for role in (METHOD, ENDPOINT, SELECT)]
    return RequestNames(*names) if names[0] and names[1] else None


def _requests(kinds: Iterable[tuple[str, Kind]]) -> Iterable[tuple[str, RequestNames]]:
    for name, kind in kinds:
        names = request_names(kind.shape) if isinstance(kind, ObjectKind) else None
        if names is not None:
            yield name, names
