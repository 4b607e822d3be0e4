"""Completion: what is proposed, in which order, and what it inserts."""

import json

import pytest

from rui_common.editing.completion import Completion, completions_at
from rui_common.editing.completion_context import completion_context_at
from rui_common.editing.requests import MAX_REQUESTS, MAX_TEXT, KnownRequest, known_requests
from rui_common.editing.snippets import Snippet, TabStop, placeholder_snippet
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import NodeRole, Prop, Role, Shape, ValueDisplay, Vocabulary
from tests.support.small import DOCUMENT


def completions(
    marked: str, others: tuple[KnownRequest, ...] = (), vocabulary: Vocabulary = VOCABULARY
) -> list[Completion]:
    """Return the completions at `<|>` in a text."""
    before, _, after = marked.partition("<|>")
    analysis = Analysis(read(before + after), vocabulary)
    context = completion_context_at(analysis.document, len(before))
    assert context is not None
    return completions_at(analysis, context, others)


def stops_of(completion: Completion) -> list[TabStop]:
    return [part for part in completion.snippet.parts if isinstance(part, TabStop)]


def block(kind: str, number: int, path: str, value_path: str) -> str:
    """Return a block with a request; an empty path or value path is left out."""
    binding = {"type": "read", "method": "GET", "path": path, "valuePath": value_path}
    more: dict[str, object] = {"Metric": {"label": "L"}, "Table": {"columns": [{"key": "a"}]}}[kind]
    value = {"id": f"b{number}", "type": kind, **more, "binding": {key: text for key, text in binding.items() if text}}
    return json.dumps(value)


# Requests -------------------------------------------------------------------------------------------------------------

BLOCKS = [
    block("Metric", 1, "/a", "a.count"),
    block("Table", 2, "/b", "b.items"),
    block("Metric", 3, "/c", "c.count"),
    block("Metric", 4, "/PATH", "VALUE"),
    block("Table", 5, "/d", "d.items"),
    block("Metric", 6, "/b", "b.count"),
    block("Metric", 7, "/TODO", "TODO"),
    block("Table", 8, "/c", ""),
    block("Metric", 9, "malformed", "mal formed"),
    block("Metric", 10, "/number", "a").replace('"/number"', "10"),
]
OTHERS = (
    KnownRequest("/e", "e.items", "Table", "x.rui.json"),
    KnownRequest("/b", "other.count", "Metric", "x.rui.json"),
)

SUGGESTED = {
    "paths, the nearest above first": ("/PATH", "<|>", ["/c", "/b", "/a", "/d", "/e"]),
    "value paths of the same shape, the nearest above first": (
        "VALUE", "<|>", ["c.count", "a.count", "b.count", "other.count", "b.items", "d.items", "e.items"]),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), SUGGESTED.values(), ids=SUGGESTED)
def test_requests_are_learned(old: str, new: str, expected: list[str]) -> None:
    text = DOCUMENT.replace("BLOCK", ",\n".join(BLOCKS)).replace(old, new)
    found = completions(text, OTHERS)
    assert [completion.label for completion in found] == expected
    assert {completion.label: completion.note for completion in found if completion.note} == {
        completion.label: "x.rui.json" for completion in found if completion.label in ("/e", "e.items", "other.count")
    }
    assert found[0].snippet.text == f'"{expected[0]}"'


SAME_PATH = {
    "Metric": ["b.count", "other.count", "b.items", "c.count", "a.count", "d.items", "e.items"],
    "Table": ["b.items", "b.count", "other.count", "d.items", "e.items", "c.count", "a.count"],
}


@pytest.mark.parametrize(("kind", "expected"), SAME_PATH.items(), ids=SAME_PATH)
def test_value_paths_of_the_same_path_come_first(kind: str, expected: list[str]) -> None:
    blocks = [*BLOCKS[:3], block(kind, 4, "/b", "<|>"), *BLOCKS[4:]]
    assert [
        completion.label for completion in completions(DOCUMENT.replace("BLOCK", ",\n".join(blocks)), OTHERS)
    ] == expected


def test_a_request_without_others_is_an_empty_text() -> None:
    text = DOCUMENT.replace("BLOCK", BLOCKS[0])
    assert completions(text.replace('"/a"', '"<|>"')) == []
    assert [completion.label for completion in completions(text.replace('"/a"', "<|>"))] == ['""']


def test_a_request_is_learned_from_broken_text() -> None:
    text = DOCUMENT.replace("BLOCK", ",\n".join(BLOCKS[:3]))
    assert [completion.label for completion in completions(text.replace('"/a", ', '"<|>'))] == ["/b", "/c"]


def test_the_number_and_length_of_requests_are_limited() -> None:
    blocks = [block("Metric", number, f"/{number}", "a") for number in range(MAX_REQUESTS + 9)]
    text = DOCUMENT.replace("BLOCK", ",".join([*blocks, block("Metric", 999, "<|>", "a")]))
    assert len(completions(text)) == len(blocks)  # All of the document itself are proposed.
    assert len(known_requests(Analysis(read(text)), "a")) == MAX_REQUESTS
    for length in (MAX_TEXT, MAX_TEXT + 1):
        path = "/".ljust(length, "x")
        found = known_requests(Analysis(read(DOCUMENT.replace("BLOCK", block("Metric", 1, path, "a")))), "a")
        assert [completion.endpoint for completion in found] == [path][: MAX_TEXT + 1 - length]


# Names and values -----------------------------------------------------------------------------------------------------

BLOCK_ORDER = VOCABULARY.nodes["Section"].props["children"].kind.items.types

# Text in the place of BLOCK → the labels, and what the first one inserts.
PLACES = {
    "a name that is there": ('{"id": "a", "type": "Text", "cont<|>ent": "x"}', ["content"], '"content"'),
    "a new name": ('{"id": "a", "type": "Text", "<|>"}', ["content"], '"content": "TODO"'),
    "a value of an enum": ('{"id": "a", "type": "Metric", "format": <|>}', ["number", "text"], '"number"'),
    "one in quotes": ('{"id": "a", "type": "Metric", "format": "n<|>"}', ["number", "text"], '"number"'),
    "an id": ('{"id": <|>, "type": "Text"}', ["text-1"], '"text-1"'),
    "a value without its closing quote": (
        '{"id": "a", "type": "Metric", "format": "<|>, "label": "x"}', ["number", "text"], '"number"'),
    "a type": ('{"id": "a", "type": <|>}', [*BLOCK_ORDER], '"Metric"'),
    "a type without its closing quote": (
        '{"id": "a", "type": "<|>, "content": "x"}', sorted(BLOCK_ORDER, key=lambda name: name != "Text"), '"Text"'),
    "a text": ('{"id": "a", "type": "Text", "content": <|>}', ['""'], '""'),
}  # fmt: skip


@pytest.mark.parametrize(("typed", "labels", "first"), PLACES.values(), ids=PLACES)
def test_names_and_values(typed: str, labels: list[str], first: str) -> None:
    found = completions(DOCUMENT.replace("BLOCK", typed))
    assert [completion.label for completion in found] == labels
    assert found[0].snippet.text == first


def test_a_block_without_a_type_may_have_the_properties_of_all_types() -> None:
    found = {completion.label: completion for completion in completions(DOCUMENT.replace("BLOCK", '{"id": "a", <|>}'))}
    assert found.keys() == {name for type_name in BLOCK_ORDER for name in VOCABULARY.nodes[type_name].props} - {"id"}
    assert {*stops_of(found["type"])[0].choices} == {*BLOCK_ORDER}


def test_the_values_of_an_enum_are_choices() -> None:
    found = completions(DOCUMENT.replace('"direction": "stack", ', "<|>"))
    (completion,) = [completion for completion in found if completion.detail.endswith(" (required)")]
    assert completion.label == "direction"
    assert stops_of(completion) == [TabStop("stack", VOCABULARY.nodes["Section"].props["direction"].kind.values)]


def test_the_type_that_has_the_properties_comes_first() -> None:
    found = completions(DOCUMENT.replace("BLOCK", '{"id": "a", "type": "<|>", "content": "x"}'))
    assert found[0].label == "Text"
    assert {completion.label for completion in found} >= {"Metric", "Table"}


@pytest.mark.parametrize("typed", [
    '{"id": "a", "type": "Table", "columns": ["a": <|>]}', '{"id": "a", "type" <|>: "Text"}',
    '{"id": "a", "content": <|> {}}', '{"id": "a" x<|>}', '{"type": "Table", "filter": {<|>}, "filter": {}}',
    '{"type": "Table", "columns": [{<|>}], "columns": []}',
])  # fmt: skip
def test_nothing_is_completed_where_nothing_may_be(typed: str) -> None:
    text = DOCUMENT.replace("BLOCK", typed)
    assert completion_context_at(read(text.replace("<|>", "")), text.index("<|>")) is None


# Elements -------------------------------------------------------------------------------------------------------------


def inserted(marked: str, label: str) -> str:
    """Return a text in which the completion with a label is accepted, with the defaults of its tab stops."""
    (completion,) = [completion for completion in completions(marked) if completion.label == label]
    return marked.replace("<|>", completion.snippet.text)


GROUPS = {"Section": ["Text"], "Section with Metrics": ["Metric", "Metric"], "Section with Table": ["Table"]}


@pytest.mark.parametrize(("label", "types"), GROUPS.items(), ids=GROUPS)
def test_a_group_is_a_node_with_children_of_one_type(label: str, types: list[str]) -> None:
    text = DOCUMENT.replace("BLOCK", BLOCKS[0])
    text = text.replace("\n      ]}\n    ]}", "\n      ]}, <|>\n    ]}")
    after = read(inserted(text, label))
    assert [diagnostic for diagnostic in Analysis(after).diagnostics if is_error(diagnostic)] == []
    section = json.loads(after.text)["pages"][0]["children"][1]
    assert [block["type"] for block in section["children"]] == types
    assert section["direction"] == ("row" if len(types) > 1 else "stack")


def test_an_element_in_a_new_node_has_its_required_properties_only() -> None:
    text = inserted(DOCUMENT.replace("BLOCK", f"{BLOCKS[0]}, <|>"), "Table")
    assert json.loads(text)["pages"][0]["children"][0]["children"][1]["columns"] == [{"key": "TODO"}]


@pytest.mark.parametrize("place", ['"pages": [<|>', '"children": [<|>', "<|>BLOCK"])
def test_the_id_is_the_first_tab_stop_of_every_node(place: str) -> None:
    marked = DOCUMENT.replace(place.replace("<|>", ""), place + ", " if place.endswith("<|>") else "<|>, BLOCK", 1)
    found = completions(marked.replace("BLOCK", BLOCKS[0]))
    assert found
    for completion in found:
        stops = stops_of(completion)
        assert [stop for stop in stops if len(stop.choices) == 1] == []
        assert stops[0].symbol is not None
        assert stops[0].symbol.name == "node id"
        assert completion.snippet.text.lstrip("{ \n").startswith(f'"id": "{stops[0].default}"')


def test_the_ids_of_a_new_document_and_its_navigation_are_linked() -> None:
    (completion,) = completions("<|>")
    stops = [stop for stop in stops_of(completion) if stop.symbol is not None]
    assert [stop.default for stop in stops[:2]] == ["page-1", "page-1"]
    assert stops[0] == stops[1]


def test_the_last_tab_stop_is_after_the_node_in_the_innermost_list() -> None:
    (completion,) = completions("<|>")
    parts = [part if isinstance(part, str) else part.default for part in completion.snippet.parts]
    (final,) = [
        index for index, part in enumerate(completion.snippet.parts) if isinstance(part, TabStop) and part.is_final
    ]
    parts[final] = ', "next"'
    blocks = json.loads("".join(parts))["pages"][0]["children"][0]["children"]
    assert blocks[1:] == ["next"]


USED = {
    "a page that does not exist": ("more", "more"),
    "a malformed one": ("More!", "page-1"),
    "the id of another node": ("main", "page-1"),
}


@pytest.mark.parametrize(("used", "expected"), USED.values(), ids=USED)
def test_a_new_page_gets_the_id_that_is_used_already(used: str, expected: str) -> None:
    marked = DOCUMENT.replace('{"pageId": "home"}', f'{{"pageId": "home"}}, {{"pageId": "{used}"}}')
    marked = marked.replace("BLOCK", BLOCKS[0])
    (value,) = completions(marked.replace('"pages": [', '"pages": [{"id": <|>, "type": "Page"}, '))
    assert value.label == expected
    (key,) = completions(marked.replace('"pages": [', '"pages": [{"i<|>", "type": "Page"}, '))[:1]
    assert key.snippet.text == f'"id": "{expected}"'
    (page,) = completions(marked.replace('"pages": [', '"pages": [<|>, '))
    assert next(stop.default for stop in stops_of(page)) == expected
    assert (page.unused is None) is (expected == used)


INSERTED = {
    "two": ('"path": "/TODO", "valuePath" : "TODO"}', (
        '"path": "', TabStop("/TODO"), '", "valuePath" : "', TabStop("TODO"), '"}')),
    "one beside an empty text": ('"content": "TODO", "title": ""', ('"content": "', TabStop("TODO"), '", "title": ""')),
    "an empty text": ('"title": ""', None),
    "that of another property": ('"path": "TODO"', None),
}  # fmt: skip


@pytest.mark.parametrize(("text", "parts"), INSERTED.values(), ids=INSERTED)
def test_a_placeholder_is_a_tab_stop(text: str, parts: tuple[str | TabStop, ...] | None) -> None:
    assert placeholder_snippet(text, VOCABULARY) == (None if parts is None else Snippet(parts))


OPTIONS = {
    "an option": ('"options": [<|>]', "FilterOption", '"options": [{"value": "", "label": ""}]'),
    "a list of options": ('"options": <|>', "[FilterOption]", '"options": [\n  {"value": "", "label": ""}\n]'),
    "the property": ("<|>", "options", '"options": [{"value": "", "label": ""}]'),
}


@pytest.mark.parametrize(("typed", "label", "expected"), OPTIONS.values(), ids=OPTIONS)
def test_options_have_a_value_and_a_label(typed: str, label: str, expected: str) -> None:
    table = block("Table", 1, "/a", "a")[:-1] + ', "filter": {"field": "a", @}}'
    text = inserted(DOCUMENT.replace("BLOCK", table.replace("@", typed)), label)
    assert json.loads(text)["pages"][0]["children"][0]["children"][0]["filter"] == {
        "field": "a", **json.loads(f"{{{expected}}}")
    }  # fmt: skip


# Another vocabulary ---------------------------------------------------------------------------------------------------

_ID = Prop("id", TextKind(), "Names it.", required=True, example="x-1")
_CALL = Shape("Call", "A call.", [
    Prop("target", TextKind(), "Where.", required=True, example="/x", role=Role.ENDPOINT, placeholder="/TODO"),
    Prop("pick", TextKind(), "What.", example="x", role=Role.SELECT, placeholder="TODO"),
])  # fmt: skip


def _node(name: str, *props: Prop, wireframe: ValueDisplay | None = None) -> Shape:
    kind = Prop("type", EnumKind((name,), "R5", {}), "Its type.", required=True, example=name)
    return Shape(name, f"A {name}.", [_ID, kind, *props], role=NodeRole.BLOCK, wireframe=wireframe)


_DIAL = _node(
    "Dial", Prop("call", ObjectKind(_CALL), "The call.", required=True), wireframe=ValueDisplay("type", {}),
)  # fmt: skip
_GRID = _node(
    "Grid",
    Prop("call", ObjectKind(_CALL), "The call.", required=True),
    Prop("calls", ListKind(ObjectKind(_CALL), rule="R16"), "Further calls."),
)
_PART = NodeKind(_GRID, _DIAL, child="R13")
_BOX = _node(
    "Box", Prop("parts", ListKind(_PART, rule="R16"), "In it.", required=True), Prop("head", _PART, "Above them."),
)  # fmt: skip
_ROOT = Shape("Root", "All.", [
    Prop("name", TextKind(), "Its name.", required=True),
    Prop("boxes", ListKind(NodeKind(_BOX, child="R7b"), rule="R8"), "The boxes."),
])  # fmt: skip
OTHER = Vocabulary("9", _ROOT, {})


DIALS = (
    '{"boxes": [{"id": "a", "type": "Box", "parts": ['
    '{"id": "b", "type": "Dial", "call": {"target": "/t", "pick": "p"}},'
    ' {"id": "c", "type": "Dial", "call": {"target": "/t", "pick": @}}]}, #]}'
)
CALLS = '{"id": "b", "type": "Grid", "call": {"target": "/t"}, "calls": [{"pick": <|>}, {"target": "/u", "pick": "q"}]}'
DERIVED = {
    "a node, and groups of its list": (DIALS.replace("@", '"q"').replace("#", "<|>"), ["Box", "Box with Dials"]),
    "the value path of a call with the same path": (DIALS.replace("#", "{}").replace("@", "<|>"), ["p"]),
    "that of the next call of a list": (f'{{"boxes": [{{"id": "a", "type": "Box", "parts": [{CALLS}]}}]}}', ["q"]),
}


@pytest.mark.parametrize(("text", "labels"), DERIVED.values(), ids=DERIVED)
def test_everything_is_derived_from_the_declarations(text: str, labels: list[str]) -> None:
    assert [completion.label for completion in completions(text, vocabulary=OTHER)] == labels


def test_a_new_document_is_on_several_lines() -> None:
    (completion,) = completions("<|>", vocabulary=OTHER)
    assert completion.snippet.text == '{\n  "name": "TODO"\n}'
