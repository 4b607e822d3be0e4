"""Random pairs of versions, valid and broken: nothing is left out, and the reversed pair has the inverse changes."""

import copy
import json
from collections import Counter
from collections.abc import Iterator
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from rui_common.syntax.paths import Path
from rui_common.versions.changes import Change, ChangeKind, Comparison
from rui_common.versions.compare import compare
from rui_common.versions.elements import Element, elements_of
from tests.support.nightly import seeds
from tests.support.strategies import Json, json_values, mutate, put, randoms, shuffle_keys, sound_document

INVERSE = {ChangeKind.ADDED: ChangeKind.REMOVED, ChangeKind.REMOVED: ChangeKind.ADDED}


def move(document: Json, chance: Random) -> None:
    """Move an element of a list to any list with elements like it, renamed half of the time."""
    elements = [element for element in elements_of(document) if element.path]
    if not elements:
        return
    element = chance.choice(elements)
    value = at_list(document, element).pop(element.path[-1])  # type: ignore[arg-type]
    if isinstance(value, dict) and isinstance(value.get("id"), str) and chance.random() < 0.5:
        value["id"] += "-x"
    candidates = [candidate for candidate in elements_of(document) if candidate.path and candidate.kind is element.kind]
    target = at_list(document, chance.choice(candidates)) if candidates else at_list(document, element)
    target.insert(chance.randint(0, len(target)), value)


def at_list(document: Json, element: Element) -> list[Json]:
    value = document
    for step in element.path[:-1]:
        value = value[step]
    return value


def pair_of(chance: Random) -> tuple[Json, Json]:
    """Return two versions: some edits apart, or independent of each other."""
    old = mutate(sound_document(chance), chance, chance.choice((0, 0, 2)))
    new = copy.deepcopy(old)
    if chance.random() < 0.1:
        new = sound_document(chance)
    for _ in range(chance.choice((1, 1, 2, 5))):
        if chance.random() < 0.5:
            move(new, chance)
        else:
            new = mutate(new, chance, 1)
    return old, new


def differences(old: Json, new: Json, path: Path) -> Iterator[Path]:
    """Yield the innermost paths at which two values differ."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        if json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True):
            yield path
        return
    for name in {*old, *new}:
        if name in old and name in new:
            yield from differences(old[name], new[name], (*path, name))
        else:
            yield (*path, name)


def own_value(element: Element) -> Json:
    """Return the value of an element without the elements in it."""
    value = {"": copy.deepcopy(element.value)}
    for name in {child.list_name for child in element.children}:
        put(value, ("", *name), [])
    return value[""]


def silent(old: Json, new: Json, found: Comparison) -> list[object]:
    """Return the differences that no change contains."""
    sides = [{element.path: element for element in elements_of(document)} for document in (old, new)]
    reported = [set(paths) for paths in zip(*((change.old, change.new) for change in found.changes), strict=True)]
    reported = reported or [set(), set()]

    def is_told(side: int, path: Path) -> bool:
        return any(path[:length] in reported[side] for length in range(len(path) + 1))

    missing: list[object] = []
    partners = found.matching.to_new
    added = {*sides[1]} - {*found.matching.to_old}
    for side, paths in enumerate((found.matching.removed, added)):
        missing += [path for path in paths if not is_told(side, path) and not any(
            path[:length] in paths for length in range(len(path)))]  # fmt: skip
    moved = {(change.old, change.new) for change in found.changes if change.kind is ChangeKind.MOVED}
    for pair in partners.items():
        old_element, new_element = sides[0][pair[0]], sides[1][pair[1]]
        for path in differences(own_value(old_element), own_value(new_element), ()):
            is_empty_list = any(child.list_name == path for child in (*old_element.children, *new_element.children))
            if path[:2] != ("meta", "replaces") and not is_empty_list and not (
                is_told(0, old_element.path + path) or is_told(1, new_element.path + path)
            ):  # fmt: skip
                missing.append((pair, path))
        for name in {child.list_name for child in (*old_element.children, *new_element.children)}:
            if ((*old_element.path, *name), (*new_element.path, *name)) in moved:
                continue
            olds = [partners.get(child.path) for child in old_element.children if child.list_name == name]
            news = [child.path for child in new_element.children if child.list_name == name]
            fixed = {path for path in olds if path is not None} & {*news} - {path for _, path in moved}
            if [path for path in olds if path in fixed] != [path for path in news if path in fixed]:
                missing.append((pair, name))
            missing += [
                path for path in {*olds} ^ {*news}
                if path is not None and path in found.matching.to_old and path not in {new for _, new in moved}
                and not is_told(1, path)
            ]  # fmt: skip
    return missing


@given(randoms.map(pair_of))
def test_every_difference_belongs_to_a_change(pair: tuple[Json, Json]) -> None:
    assert silent(*pair, compare(*pair)) == []


def test_the_reversed_pair_has_the_inverse_changes() -> None:
    """In a nightly run, one pair of 500 may differ: of two nodes that could be one node, either direction takes one."""
    tried = seeds(100)
    different = [seed for seed in tried if not has_inverse_changes(pair_of(Random(seed)))]
    assert len(different) <= len(tried) // 500, different


def has_inverse_changes(pair: tuple[Json, Json]) -> bool:
    forth, back = compare(*pair), compare(*reversed(pair))
    changes = Counter(
        (change.kind, change.area, change.old, change.new) for change in forth.changes if is_exact(change)
    )
    mirrored = Counter(
        (INVERSE.get(change.kind, change.kind), change.area, change.new, change.old)
        for change in back.changes if is_exact(change)
    )  # fmt: skip
    kinds = Counter(INVERSE.get(change.kind, change.kind) for change in back.changes)
    return changes == mirrored and Counter(change.kind for change in forth.changes) == kinds


def is_exact(change: Change) -> bool:
    """Return whether the paths of a change do not depend on the direction: of two swapped elements, one has moved."""
    return change.kind is not ChangeKind.MOVED


@given(randoms, st.integers(0, 8))
def test_a_version_with_its_properties_in_another_order_is_the_same(chance: Random, times: int) -> None:
    document = mutate(sound_document(chance), chance, times)
    assert compare(document, shuffle_keys(document, chance)).changes == ()


@given(json_values, json_values)
def test_any_values_can_be_compared(old: Json, new: Json) -> None:
    is_same = json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)
    assert (compare(old, new).changes == ()) is is_same
