"""Random documents: a single edit is one change of its kind, and every surface shows the sentences of any pair."""

import copy
import random
from collections.abc import Callable, Iterator

import pytest

from rui_cli.diff_formats import FORMATS
from rui_cli.diff_result import DiffResult, Version
from rui_cli.output import Style
from rui_common.versions.changes import Area, ChangeKind
from rui_common.versions.compare import compare
from rui_inspector.html.comparison import ComparedDocument, comparison_page
from tests.rui_inspector.pages import HOST, SPEC, altered, check
from tests.support.nightly import seeds
from tests.support.strategies import Json, shuffle_keys, sound_document

SEEDS = seeds(12)
TEXTS = ("label", "title", "content", "description")


def lists(document: Json) -> Iterator[list[Json]]:
    """Yield every list of nodes."""
    stack = [document["pages"]]
    while stack:
        nodes = stack.pop()
        yield nodes
        stack += [node["children"] for node in nodes if "children" in node]


def remove(document: Json, chance: random.Random) -> list[ChangeKind]:
    nodes = chance.choice([*lists(document)])
    nodes.pop(chance.randrange(len(nodes)))
    return [ChangeKind.REMOVED]


def change(document: Json, chance: random.Random) -> list[ChangeKind]:
    node = chance.choice([node for nodes in lists(document) for node in nodes if {*TEXTS} & {*node}])
    node[chance.choice([name for name in TEXTS if name in node])] += " and more"
    return [ChangeKind.CHANGED]


def rename(document: Json, chance: random.Random) -> list[ChangeKind]:
    node = chance.choice([node for nodes in lists(document) for node in nodes if node not in document["pages"]])
    node["id"] = "renamed"
    return [ChangeKind.CHANGED]


def move(document: Json, chance: random.Random) -> list[ChangeKind]:
    """Move a node to another list, or within its list. A page stays one: else its navigation item changes, too."""
    before = copy.deepcopy(document)
    source = chance.choice([*lists(document)])
    node = source.pop(chance.randrange(len(source)))
    inside = [*lists({"pages": [node]})]
    targets = [nodes for nodes in lists(document) if nodes not in inside]
    target = source if node["type"] == "Page" else chance.choice(targets)
    target.insert(chance.randint(0, len(target)), node)
    return [] if before == document else [ChangeKind.MOVED]


def shuffle(document: Json, chance: random.Random) -> list[ChangeKind]:
    document.update(shuffle_keys(document, chance))
    return []


@pytest.mark.parametrize("edit", [remove, change, rename, move, shuffle])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_edit_is_one_change(seed: int, edit: Callable[[Json, random.Random], list[ChangeKind]]) -> None:
    chance = random.Random(seed)
    document = sound_document(chance)
    other = copy.deepcopy(document)
    expected = edit(other, chance)
    found = compare(document, other)
    assert [change.kind for change in found.changes if not change.is_endpoint] == expected
    if edit is rename:
        assert {change.area for change in found.changes} == {Area.HIDDEN}
        assert not [screen for screen in found.screens if screen.kind]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_surface_shows_any_pair(seed: int) -> None:
    chance = random.Random(seed)
    before = sound_document(chance)
    after = altered(before, chance)
    sides = [ComparedDocument(document, SPEC) for document in (before, after)]
    check(comparison_page(sides[0], sides[1], HOST).encode("utf-8", "replace").decode())
    result = DiffResult(Version("a", None), Version("b", None))
    result.comparison = compare(before, after)
    result.is_same = not result.comparison.changes
    result.remarks = []
    for name, format_ in FORMATS.items():
        assert bool([*format_(result, Style())]) is not (result.is_same and name == "text")
