"""A new version that names what it keeps: a document with the parts that it takes from its base.

An object in place of a node that has an id alone, ``{"id": "open-bills"}``, is a bare node. It stands for the node of
the base with this id, with everything in it but the nodes that the document names itself.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

from rui_common.hashing import canonical_json
from rui_common.json_values import JsonObject, as_list
from rui_common.problems.elements import UntypedNode
from rui_common.problems.finding import Finding
from rui_common.problems.names import DanglingName, UnusedName
from rui_common.problems.properties import AbsentProperty
from rui_common.problems.words import quoted
from rui_common.suggest import SearchBudget, nearest
from rui_common.syntax.paths import Path, value_at
from rui_common.versions.elements import Element, elements_of
from rui_common.versions.replaced import REPLACES_PATH, with_replaced_id


class TooLargeError(ValueError):
    """The document with the parts of its base has more bytes than it may have."""


class Completed(NamedTuple):
    """A document with the parts that it takes from its base."""

    rui: JsonObject  # the paths are those of the document
    kept: int  # the number of nodes that are those of the base
    unknown: Mapping[Path, str]  # the bare nodes that the base lacks: path → the id that is probably meant, or ``""``
    replaced: Collection[Path]  # the nodes in place of one of the base with the same id


class _Part(NamedTuple):
    """What a bare node stands for."""

    value: Any
    nodes: int  # the number of nodes in it, itself included
    size: int  # the bytes of its canonical JSON


def complete(document: JsonObject, base: JsonObject, base_id: str, *, max_bytes: int) -> Completed:
    """Return a document with the parts that it takes from its base, and with `base_id` as the spec that it replaces.

    A property of the root that is absent is that of the base, too.

    Args:
        document: any JSON object.
        base: the document of the base, which is valid, or was.
        max_bytes: the maximum size of the result as canonical JSON.

    Raises:
        TooLargeError: the result is larger.
    """
    stored = {node.name: node for node in _nodes(base)}
    nodes = [*_nodes(document)]
    named = {node.name for node in nodes}

    @cache  # a second node with the same id is an error; it needs no second copy
    def part_of(name: str) -> _Part:
        return _part_of(stored[name], named)

    rui: Any = deepcopy(document)
    size = len(canonical_json(document))
    kept = 0
    unknown: dict[Path, str] = {}
    replaced: set[Path] = set()
    budget = SearchBudget()
    for node in nodes:
        if not is_bare(node.value):
            if node.name in stored:
                replaced.add(node.path)
            continue
        name = str(node.name)
        if name not in stored:
            unknown[node.path] = nearest(name, filter(None, stored), budget) or ""
            continue
        part = part_of(name)
        _list_at(rui, node.path)[_index_of(node)] = part.value
        kept += part.nodes
        size += part.size
        if size > max_bytes:
            raise TooLargeError
    absent = {name: value for name, value in base.items() if name not in document}
    kept += sum(node.path[0] in absent for node in stored.values())
    rui = {**absent, **rui}
    if isinstance(rui.get(REPLACES_PATH[0]), dict):  # else it is an error
        rui = with_replaced_id(rui, base_id)
    if len(canonical_json(rui)) > max_bytes:
        raise TooLargeError
    return Completed(rui, kept, unknown, replaced)


def explain(findings: Iterable[Finding], completed: Completed) -> list[Finding]:
    """Return findings, with hints about bare nodes that the base lacks: which of its nodes is probably meant.

    What only follows from a misspelt id is left out: the hint would propose that id. The first one about a property
    that a node of the base has, and the one in its place lacks, says that nothing is taken from the base.
    """
    unknown = completed.unknown
    kept = [finding for finding in findings if not _follows(finding, unknown)]
    lacking = (finding for finding in kept if isinstance(finding, AbsentProperty | UntypedNode))
    first = next((finding for finding in lacking if finding.node.path in completed.replaced), None)
    if first is not None:
        bare = json.dumps({"id": first.node.members["id"]}, ensure_ascii=False)
        first.advice = f"{bare} alone stands for the node of the base; with other properties it needs all of them."
    for finding in kept:
        meant = unknown.get(finding.node.path)
        if meant is not None:
            advice = f"The base has no node {quoted(str(finding.node.members['id']))}"
            finding.advice = f"{advice}: did you mean {quoted(meant)}?" if meant else f"{advice}."
    return kept


def _follows(finding: Finding, unknown: Mapping[Path, str]) -> bool:
    """Return whether a finding about a name is there only because the id of a bare node is misspelt."""
    if isinstance(finding, UnusedName):
        return bool(unknown.get(finding.node.path))
    return isinstance(finding, DanglingName) and finding.got in unknown.values()


def is_bare(value: object) -> bool:
    """Return whether a value is an object with an id alone."""
    return isinstance(value, dict) and value.keys() == {"id"} and isinstance(value["id"], str)


def _nodes(document: JsonObject) -> Iterator[Element]:
    return (element for element in elements_of(document) if element.is_node)


def _list_at(value: object, path: Path) -> list[object]:
    """Return the list around the element at a path."""
    return as_list(value_at(value, path[:-1]))


def _index_of(node: Element) -> int:
    """Return the index of a node in the list around it."""
    return int(node.path[-1])


def _part_of(node: Element, named: set[str | None]) -> _Part:
    """Return a node without the nodes in it that are `named`."""
    kept: list[Element] = []
    removed: list[Element] = []
    _divide(node, named, kept, removed)
    value: Any = deepcopy(node.value)
    for inner in reversed(removed):  # the indices of those before it stay
        _list_at(value, inner.path[len(node.path) :]).pop(_index_of(inner))
    return _Part(value, len(kept), len(canonical_json(value)))


def _divide(node: Element, named: set[str | None], kept: list[Element], removed: list[Element]) -> None:
    """Append a node and those in it, in the order of the document; what is in a removed one is neither."""
    kept.append(node)
    for child in node.nodes:
        if child.name in named:
            removed.append(child)
        else:
            _divide(child, named, kept, removed)
