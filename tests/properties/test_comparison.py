"""Random documents: a comparison with itself is empty, and a single edit is reported as the change that it is."""

import copy
import random
from collections.abc import Callable, Iterator

import pytest

from rui_cli.diff_formats import FORMATS
from rui_cli.diff_result import DiffResult, Version
from rui_cli.output import Style
from rui_inspector.compare.comparison import ChangeKind, Comparison, compare
from rui_inspector.compare.report import report_of
from rui_inspector.html.comparison import ComparedDocument, comparison_page
from rui_inspector.model.view import view_of
from tests.rui_inspector.pages import HOST, altered, check
from tests.strategies import Json, shuffle_keys, sound_document

SEEDS = range(25)
TEXTS = ("label", "title", "content", "description")


def lists(document: Json) -> Iterator[list[Json]]:
    """Yield every list of nodes."""
    stack = [document["pages"]]
    while stack:
        nodes = stack.pop()
        yield nodes
        stack += [node["children"] for node in nodes if "children" in node]


def kinds(found: Comparison) -> dict[str, list[str]]:
    return {change.node.id: [kind.value for kind in change.kinds] for change in found.nodes}


def number(found: Comparison, kind: ChangeKind) -> int:
    return sum(kind in change.kinds for change in found.nodes)


def remove(document: Json, chance: random.Random) -> dict[str, list[str]]:
    nodes = chance.choice([*lists(document)])
    return {nodes.pop(chance.randrange(len(nodes)))["id"]: ["removed"]}


def change(document: Json, chance: random.Random) -> dict[str, list[str]]:
    node = chance.choice([node for nodes in lists(document) for node in nodes if {*TEXTS} & {*node}])
    node[chance.choice([name for name in TEXTS if name in node])] += " and more"
    return {node["id"]: ["changed"]}


def move(document: Json, chance: random.Random) -> dict[str, list[str]]:
    """Move a node to another list, or within its list."""
    before = copy.deepcopy(document)
    source = chance.choice([*lists(document)])
    node = source.pop(chance.randrange(len(source)))
    inside = [*lists({"pages": [node]})]
    target = chance.choice([nodes for nodes in lists(document) if nodes not in inside])
    target.insert(chance.randint(0, len(target)), node)
    return {} if before == document else {node["id"]: ["moved"]}


def shuffle(document: Json, chance: random.Random) -> dict[str, list[str]]:
    document.update(shuffle_keys(document, chance))
    return {}


@pytest.mark.parametrize("edit", [remove, change, move, shuffle])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_edit_is_one_change(seed: int, edit: Callable[[Json, random.Random], dict[str, list[str]]]) -> None:
    chance = random.Random(seed)
    document = sound_document(chance)
    other = copy.deepcopy(document)
    expected = edit(other, chance)
    found = compare(view_of(document), view_of(other))
    assert kinds(found) == expected
    assert found.is_same is (not expected)
    if not expected:
        assert report_of(found).headlines == found.endpoints == []
        assert not [screen for screen in found.screens if screen.screen_kinds]


@pytest.mark.parametrize("seed", SEEDS)
def test_any_two_documents_can_be_compared_and_the_reverse_is_the_mirror_image(seed: int) -> None:
    chance = random.Random(seed)
    one = sound_document(chance)
    other = altered(one, chance)
    forth = compare(view_of(one), view_of(other))
    back = compare(view_of(other), view_of(one))
    for kind, mirrored in ((ChangeKind.ADDED, ChangeKind.REMOVED), (ChangeKind.CHANGED, ChangeKind.CHANGED)):
        assert number(forth, kind) == number(back, mirrored)
    assert forth.is_same == back.is_same
    added = [(change.method, change.path) for change in forth.endpoints if change.kind is ChangeKind.ADDED]
    removed = [(change.method, change.path) for change in back.endpoints if change.kind is ChangeKind.REMOVED]
    assert sorted(added) == sorted(removed)
    sides = [ComparedDocument(document, "x", "/a") for document in (one, other)]
    check(comparison_page(sides[0], sides[1], HOST).encode("utf-8", "replace").decode())
    result = DiffResult(Version("a", None), Version("b", None))
    result.comparison = forth
    result.is_same = forth.is_same
    result.notes = []
    for name, format_ in FORMATS.items():
        assert bool([*format_(result, Style())]) is not (forth.is_same and name == "text")
