"""The hints of an answer: what an author without documentation learns from them (docs/decisions.md, section 3)."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from rui_common.problems.finding import Finding
from rui_common.problems.short_forms import write_in_full
from rui_common.syntax.document import read
from rui_common.validation.analysis import validate
from rui_common.validation.answers import error_items
from rui_common.validation.diagnostics import MAX_PLACES
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_ERRORS, MESSAGES
from rui_common.vocabulary.schema import NodeRole, Prop, Shape
from rui_common.vocabulary.signatures import legend, signature, signatures
from tests.inputs.breaking import broken
from tests.inputs.breaking_text import LOSING, TEXT_BREAKS
from tests.inputs.convergence import share
from tests.inputs.fixing_text import fix_text
from tests.inputs.sample import sample, sample_text
from tests.inputs.text_rounds import ALL, KEPT, LOST, MAX_ROUNDS, TARGET, hint_about, trials
from tests.support.nightly import seeds
from tests.support.strategies import mutants, randoms, shuffle_keys

Json = Any

DRAFTS = sorted((Path(__file__).parents[3] / "eval" / "drafts").glob("*/draft.*"))
"""What authors who know nothing about RUI send, in the words of other systems."""

JSON_DRAFTS = [path for path in DRAFTS if path.suffix == ".json"]

MAX_ANSWER = 4_096
"""Bytes of the first answer to a foreign document with at most `FEW` errors: its words, and the vocabulary once."""
FEW = 12
MAX_FURTHER = 110  # bytes for each further error
MAX_LONG_ANSWER = 12_000  # bytes of an answer with 50 errors
MAX_FAILURE = 2_048  # bytes of an answer about a RUI with broken JSON
MAX_FOREIGN_FAILURE = 3_072  # bytes if the text is no RUI, so that its author needs the vocabulary
MAX_ITEMS = 20
MAX_HINT = 360
MAX_VALUE = 200

BLOCKS = [shape for shape in VOCABULARY.nodes.values() if shape.role is NodeRole.BLOCK]
BLOCK_SIGNATURES = [f"{shape.name}: {{" for shape in BLOCKS]

TEXT = {"id": "note", "type": "Text", "content": "a"}
PAGE = {"id": "home", "type": "Page", "title": "Home", "children": []}
BINDING = {"type": "read", "method": "GET", "path": "/orders", "valuePath": "data"}
METRIC = {"id": "open", "type": "Metric", "label": "Open", "binding": BINDING}
TABLE = {"id": "orders", "type": "Table", "binding": BINDING, "columns": [{"key": "state"}]}


def document(*blocks: object, **root: object) -> Json:
    section = {"id": "main", "type": "Section", "direction": "row", "children": list(blocks)}
    page = {"id": "home", "type": "Page", "title": "Home", "children": [section]}
    items = [{"pageId": "home"}]
    return {"version": "0.1", "meta": {}, "navigation": {"items": items}, "pages": [page]} | root


def without(value: Json, name: str) -> Json:
    return {key: inner for key, inner in value.items() if key != name}


def hints(value: Json) -> dict[str, str]:
    """Return the hints of the answer to a document by path; the paths of blocks begin with ``…``."""
    block = "pages[0].children[0].children"
    return {item["path"].replace(block, "…"): item["hint"] for item in error_items(validate(value).findings)}


# One answer -----------------------------------------------------------------------------------------------------------

# Document, path, parts that its hint has. The cases of tests/cases have the others, each once.
HAS: dict[str, tuple[Json, str, list[str]]] = {
    "the signature of the object around": (
        document({"id": "open", "type": "Metric", "label": "Open"}), "…[0].binding",
        [f"{signature(VOCABULARY.nodes['Metric'])}.", '"valuePath": "a.b"} (valuePath: one value of the response)']),
    "the rules of value paths and names": (
        document(without(TEXT, "content")), "…[0].content",
        ["no brackets, no $, no index (instead of data[0].value, show data as a Table)",
         'ID: lowercase kebab-case', "Every ID is unique in the whole RUI.",
         "Every page has an entry in `navigation.items`.", '"…": more, which no page shows.',
         VOCABULARY.advice]),
    "what is suggested in open objects": (
        document(TABLE | {"columns": [{}]}), "…[0].columns[0].key",
        ['Column: {"key": string, "label"?: string, "type"?: "string" | "number" | "date" | "badge", …}.']),
    "the meaning of directions": (
        document(pages=[{"id": "home", "type": "Page", "title": "Home", "children": []}]), "pages[0].children",
        ['"stack" | "row" (below each other, side by side)', *BLOCK_SIGNATURES]),
    "what is allowed in place of an unknown type": (
        document(TEXT | {"type": "Gizmo", "x": 1}), "…[0].type", BLOCK_SIGNATURES),
    "what is allowed in place of another value": (
        document(TABLE | {"binding": "/orders"}), "…[0].binding",
        ['Must be an object. Write {"type": "read", "method": "GET", "path": "/orders"}.',
         'ReadBinding: {"type": "read", "method": "GET", "path": "/…"']),
    "content that is kept in one of several": (
        {"app": [TEXT], "body": [TEXT]}, "app", ['Keep what has a place. Absent here: "meta", "navigation", "pages".']),
    "content that is kept again": ({"app": [TEXT], "body": [TEXT]}, "body", ["Keep what has a place."]),
    "a number that is no name": (
        document(TEXT | {"id": 7}), "…[0].id",
        ["Must be a string: lowercase kebab-case, pattern ", 'Got 7; did you mean "text-7"?']),
    "a planned block": (
        document({"id": "send", "type": "Button"}), "…[0]", ["Leave it out, or keep its words in a Text."]),
    "the words in a misnamed object": (
        without(document(TEXT, metadata={"name": "Desk"}), "meta"), "metadata",
        ['did you mean "meta"? "name" is called "title" in it.']),
    "the words in an object beside the right one": (
        document(TEXT, metadata={"name": "Desk"}), "metadata", ['belongs in "meta". "name" is called "title" in it.']),
    "what a binding of a Metric needs, too": (
        document({"id": "a", "type": "Metric", "label": "A"}), "…[0].binding", ['It needs "valuePath", too.']),
    "the link that an orphan may be meant for": (
        document(TEXT, navigation={"items": [{"pageId": "start"}]}), "pages[0].id",
        ["Instead, use it at navigation.items[0].pageId, which names nothing."]),
    "the page that a link may be meant for": (
        document(TEXT, navigation={"items": [{"pageId": "start"}]}), "navigation.items[0].pageId",
        ['Not used yet: "home".']),
    "the malformed id that a link means": (
        document(TEXT, navigation={"items": [{"pageId": "order-list"}]}, pages=[PAGE | {"id": "orderList"}]),
        "navigation.items[0].pageId", ["Or correct pages[0].id, which means it."]),
    "the link that has a malformed id in its right form": (
        document(TEXT, navigation={"items": [{"pageId": "order-list"}]}, pages=[PAGE | {"id": "Order_List"}]),
        "pages[0].id", ['Or correct it to "order-list", as navigation.items[0].pageId names it.']),
    "the pages that a link may open": (
        document(TEXT, navigation={"items": [{"pageId": "home"}, {}]}), "navigation.items[1].pageId",
        ['Allowed: "home".']),
    "what a word for two properties means, by its type": (
        {"version": "0.1", "meta": {}, "tabs": []}, "tabs", ['did you mean "pages"?']),
    "an absent binding, at a template": (
        document(without(METRIC, "binding") | {"remark": "Count: {orders.open}"}), "…[0].remark",
        ['Absent here: "binding".']),
    "the part of an object that a property of the root belongs in": (
        {"name": "Desk"}, "name", ['Its content belongs in "meta", as "title".']),
    "that a path is in the place of another": (
        document(TABLE | {"binding": {"type": "read", "method": "GET", "url": "/beds", "path": "data.items"}}),
        "…[0].binding.path", ['Its content belongs in "valuePath", that of "url" in "path".']),
    "the first of several words for a property": (
        document(TABLE | {"columns": [{"id": "fld1", "name": "stage", "label": "Stage"}]}), "…[0].columns[0].key",
        ['Got "name"; did you mean "key"?']),
    "an id that is the only name of a column": (
        document(TABLE | {"columns": [{"id": "stage", "label": "Stage"}]}), "…[0].columns[0].key",
        ['Got "id"; did you mean "key"?']),
    "another word for a type under another name": (
        document({"id": "a", "component": "kpi", "label": "A"}), "…[0].type",
        ['Got "component"; did you mean "type"?']),
    "the children of sections on a page": (
        document(pages=[{"id": "home", "type": "Page", "title": "Home", "widgets": []}]), "pages[0].children",
        ['Got "widgets"; did you mean "children"?']),
    **{
        f"another system's direction {word}": (
            document(pages=[{"id": "home", "type": "Page", "title": "Home", "children": [
                {"id": "a", "type": "Section", "direction": word, "children": [TEXT]}]}]),
            "pages[0].children[0].direction", [f'did you mean "{direction}"?'])
        for word, direction in {
            "vertical": "stack", "column": "stack", "VStack": "stack", "horizontal": "row", "side-by-side": "row",
            "HorizontalLayout": "row",
        }.items()
    },
    **{
        f"another system's type {name}": (document({"id": "a", "type": name}), "…[0].type", [part])
        for name, part in {
            **{word.upper(): "It is called Section here, and belongs in Page.children."
               for word in VOCABULARY.nodes["Section"].others.types
               if not any(word in block.others.types for block in BLOCKS)},
            **{word: f'did you mean "{shape.name}"?' for shape in BLOCKS for word in shape.others.types},
            **{word.upper(): advice for word, advice in VOCABULARY.type_advice.items()},
            "data-grid": 'did you mean "Table"?',
        }.items()
    },
    "a type under another name, beside a word for no type": (
        document({"id": "a", "kind": "fancy", "component": "Text", "content": "b"}), "…[0].type",
        ['Got "component"; did you mean "type"?']),
    "a type under another name, beside a misspelt one": (
        document({"id": "a", "kind": "Txet", "component": "Text", "content": "b"}), "…[0].type",
        ['Got "component"; did you mean "type"?']),
    "children in other words": (
        document(pages=[{"id": "home", "type": "Page", "title": "Home", "contenu": []}]), "pages[0].children",
        ['Got "contenu"; did you mean "children"?']),
    "columns in other words": (
        document(without(TABLE, "columns") | {"colonnes": []}), "…[0].columns", ['did you mean "columns"?']),
    "a value path with a dot in front": (
        document(METRIC | {"binding": BINDING | {"valuePath": ".spec.x"}}), "…[0].binding.valuePath",
        ['did you mean "spec.x"?']),
    "a value path under another name": (
        document(METRIC | {"binding": without(BINDING, "valuePath") | {"value": "a"}}), "…[0].binding.valuePath",
        ['Got "value"; did you mean "valuePath"?']),
    "an id without accents": (document(TEXT | {"id": "Übersicht"}), "…[0].id", ['did you mean "ubersicht"?']),
}  # fmt: skip


# Document, path, parts that its hint does not have.
HAS_NOT: dict[str, tuple[Json, str, list[str]]] = {
    "removal of what holds the content": ({"app": document(TEXT)}, "app", ["Remove", "remove"]),
    "a place where no page shows it, for what pages could show": (
        document(TEXT, app={"screens": [{"title": "A"}]}), "app", ["may stay", "leave it out"]),
    "the same, for an object in a block": (
        document(METRIC | {"request": {"url": "/orders"}}), "…[0].request", ["may stay", "leave it out"]),
    "the same, for several words": (
        document(TEXT | {"subtitle": "Closed on Monday"}), "…[0].subtitle", ["may stay", "leave it out"]),
    "the same, for an endpoint": (document(TEXT | {"source": "/orders"}), "…[0].source", ["may stay", "leave it out"]),
    "a chart as something without a place": (
        document(TEXT, chart={"title": "Orders", "url": "/orders"}), "chart", ["no place", "leave it out"]),
    "the keys again that the signature has": (
        without(document(TEXT, app=1), "meta"), "app", ["Keys of"]),
    "a version that is misspelt": (document(TEXT, version="0.2"), "version", ["did you mean", "another version"]),
    "a second signature": (
        document(without(TEXT, "content"), without(TEXT, "content") | {"id": "b"}), "…[1].content", ["Text: {", "ID:"]),
    "a guess which value is meant": (
        document(TEXT, navigation={"items": [{"pageId": "quite-other"}]}), "navigation.items[0].pageId", ["did you"]),
    "an id without its first letters": (document(TEXT | {"id": "7f2c01"}), "…[0].id", ["did you"]),
    "the keys again, in a list": (
        document(TABLE | {"columns": [{"field": "a"}, {"field": "b"}]}), "…[0].columns[1].key", ["Keys of", "Column:"]),
    "the keys again, in one object": (
        document(TEXT | {"a": 1, "b": 2}), "…[0].b", ["Keys of", "Text: {"]),
    "a path in the place of another, next to one that is none": (
        document(TABLE | {"binding": {"type": "read", "method": "GET", "url": "beds", "path": "data.items"}}),
        "…[0].binding.path", ["that of"]),
    "the place of a word, at several": (document(METRIC | {"owner": "Some words"}), "…[0].owner", ["It may stay in"]),
    "an absent binding, at words": (
        document(without(METRIC, "binding") | {"remark": "Some words"}), "…[0].remark", ["Absent here"]),
    "a column, which no filter needs to use, at a filter": (
        document(TABLE | {"filter": {"field": "kind"}}), "…[0].filter.field", ["Not used yet"]),
    "a page that no link opens, beside a link without a page": (
        document(TEXT, navigation={"items": [{"pageId": "start"}, {}]}), "navigation.items[0].pageId",
        ["Not used yet"]),
    "a malformed id, at the link that means it": (
        document(TEXT, navigation={"items": [{"pageId": "stock"}]}, pages=[PAGE | {"id": "Stock"}]),
        "navigation.items[0].pageId", ["did you mean", "Allowed", "Not used yet"]),
    "the links, at the malformed id that one of them means": (
        document(TEXT, navigation={"items": [{"pageId": "stock"}]}, pages=[PAGE | {"id": "Stock"}]),
        "pages[0].id", ["Nothing in", "names nothing"]),
    "an empty id, at a link": (
        document(TEXT, navigation={"items": [{"pageId": "stock"}]}, pages=[PAGE | {"id": ""}]),
        "navigation.items[0].pageId", ["Not used yet", "Allowed"]),
    "a page that no link opens, at a link that means it": (
        document(TEXT, navigation={"items": [{"pageId": "hom"}]}), "navigation.items[0].pageId", ["Not used yet"]),
    "a page that no link opens, at the id of another one": (
        document(TEXT, navigation={"items": [{"pageId": "x"}]}, pages=[{"id": 7, "type": "Page"}, {"id": "home"}]),
        "pages[0].id", ["Not used yet"]),
}  # fmt: skip


def test_another_version_is_one_error() -> None:
    later = document(TEXT | {"colour": "red"}, version="0.2", entities=[{"name": "order"}])
    assert [finding.path for finding in validate(later).findings] == [("version",)]
    assert len(validate(later | {"version": "0.1"}).findings) == 2


@pytest.mark.parametrize("case", [*HAS, *HAS_NOT])
def test_a_hint_has(case: str) -> None:
    value, path, parts = HAS.get(case) or HAS_NOT[case]
    hint = hints(value)[path]
    assert [part for part in parts if (part in hint) != (case in HAS)] == [], hint


# Foreign documents ----------------------------------------------------------------------------------------------------


TEXTS = [(shape, prop) for shape in VOCABULARY.shapes.values() for prop in shape.all_props if prop.is_scalar]


@pytest.mark.parametrize(("shape", "prop"), TEXTS, ids=[f"{shape.name}.{prop.name}" for shape, prop in TEXTS])
@pytest.mark.parametrize("text", ['["a"]', '{"a": 1}', "{a}", "[a"])
def test_no_string_stands_for_json_where_a_string_is_expected(shape: Shape, prop: Prop, text: str) -> None:
    assert [*write_in_full((shape.name, prop.name), text, prop.kind)] == []


@pytest.mark.parametrize("path", JSON_DRAFTS, ids=lambda path: path.parent.name)
def test_the_first_answer_to_a_foreign_document_contains_the_vocabulary_once(path: Path) -> None:
    draft = json.loads(path.read_bytes())
    check_nothing_is_invented(draft)
    items = error_items(validate(draft).findings)
    text = " ".join(item["hint"] for item in items)
    assert size_of(items) <= MAX_ANSWER + max(0, len(items) - FEW) * MAX_FURTHER
    assert len(items) <= MAX_ITEMS
    counts = {line.split(":")[0]: text.count(line) for line in signatures(VOCABULARY)}
    assert counts == dict.fromkeys(("RUI", *VOCABULARY.nodes), 1)
    assert text.count(legend(VOCABULARY)) == 1


@pytest.mark.parametrize("path", sorted({*DRAFTS} - {*JSON_DRAFTS}), ids=lambda path: path.parent.name)
def test_the_first_answer_to_a_draft_that_is_no_json_contains_the_root(path: Path) -> None:
    hint = hint_about(path.read_text())
    assert f"{signature(VOCABULARY.root)}." in hint
    assert hint.count(legend(VOCABULARY)) == 1
    assert size_of(failure(hint)) <= MAX_FOREIGN_FAILURE


def size_of(answer: Json) -> int:
    """Return the bytes of an answer."""
    return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())


def failure(hint: str) -> Json:
    message, gist = MESSAGES["INVALID_JSON"]
    item = {"path": "", "code": "INVALID_JSON", "message": message, "hint": f"{gist} {hint}"}
    return {"valid": False, "errors": [item]}


@pytest.mark.parametrize("seed", seeds(12))
def test_an_answer_of_50_errors_is_short(seed: int) -> None:
    document, _ = broken(sample(30_000, seed=seed), random.Random(seed), 60)
    items = error_items(validate(document, limit=MAX_ERRORS).findings)
    assert len(items) == MAX_ERRORS
    assert size_of(items) <= MAX_LONG_ANSWER
    forms = [prop.kind.form for _, prop in VOCABULARY.props if prop.kind.form]
    texts = [item["hint"].replace(legend(VOCABULARY), "") for item in items]
    assert all(sum(f"Must be a string: {form}." in text for text in texts) <= 1 for form in forms)


@pytest.mark.parametrize("name", [name for name in TEXT_BREAKS if not name.startswith("document ")])
def test_an_answer_about_a_broken_rui_is_short(name: str) -> None:
    """The author knows the vocabulary. Lost brackets may make another structure of the rest, which needs it."""
    for seed in range(8):
        chance = random.Random(seed)
        text = sample_text(chance.choice((1_500, 6_000, 40_000)), seed=seed, indent=chance.choice((2, None)))
        hint = hint_about(TEXT_BREAKS[name](text, chance))
        has_vocabulary = legend(VOCABULARY) in hint
        assert has_vocabulary <= ("bracket" in name or name in LOSING)
        assert size_of(failure(hint)) <= (MAX_FOREIGN_FAILURE if has_vocabulary else MAX_FAILURE)


def test_an_answer_about_broken_json_explains_the_other_errors_in_it() -> None:
    text = json.dumps(document({"id": "a", "type": "Text", "contents": 1}))[:-1] + ",}"
    hint = hint_about(text)
    assert re.findall(r"([A-Z]\w+): {", hint) == ["Text"]
    assert legend(VOCABULARY) in hint
    assert f"{signature(VOCABULARY.root)}." in hint_about("- a list")


STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
CUT = "…"
FIXED = {*VOCABULARY.shapes}
for shape in VOCABULARY.shapes.values():
    for prop in (*shape.props.values(), *shape.suggested.values()):
        FIXED |= {prop.name, prop.kind.sample.strip('"'), *prop.kind.values}


def strings_in(value: Json) -> set[str]:
    if isinstance(value, dict):
        return {*value, *(text for inner in value.values() for text in strings_in(inner))}
    if isinstance(value, list):
        return {text for inner in value for text in strings_in(inner)}
    return {value} if isinstance(value, str) else set()


def check_nothing_is_invented(value: Json) -> None:
    """Check that hints quote only strings of the document and of the vocabulary, apart from *did you mean*."""
    known = FIXED | strings_in(value)
    for finding in validate(value).findings:
        hint = re.sub(r'did you mean "(?:[^"\\]|\\.)*"', "", finding.hint)
        quoted = [json.loads(text) for text in STRING.findall(hint)]
        assert [text for text in quoted if text not in known and not text.endswith(CUT)] == [], hint


def answer(value: Json) -> list[tuple[str, str, str]]:
    return [(item["path"], item["code"], item["hint"]) for item in error_items(validate(value).findings)]


@given(mutants, randoms)
def test_one_document_has_one_answer(value: Json, chance: random.Random) -> None:
    """Neither an earlier call nor the order of keys matters."""
    check_nothing_is_invented(value)
    check_limits(validate(value).findings)
    expected = answer(value)
    assert answer(value) == expected
    assert answer(shuffle_keys(value, chance)) == expected


# Limits ---------------------------------------------------------------------------------------------------------------

LONG = "Long " * 40_000
COLUMNS = [{"key": f"{LONG}{number}"} for number in range(30)]
HOSTILE = document(
    TEXT | {"type": LONG, LONG: 1}, TEXT | {"id": LONG, "content": 10**4_000}, LONG,
    TABLE | {"columns": COLUMNS, "filter": {"field": "a"}}, TABLE | {"columns": [{LONG: 1}]},
    TABLE | {"binding": BINDING | {"path": LONG.replace(" ", ""), "valuePath": f"$.{LONG.replace(' ', '')}"}},
    *[{"id": "a", "type": "Section", "direction": "row", "children": [TEXT]}] * 30,
)  # fmt: skip


def check_limits(found: list[Finding]) -> None:
    for finding in found:
        template, _ = MESSAGES[finding.code]
        assert len(finding.message) <= len(template) + MAX_VALUE
        assert len(finding.hint) <= MAX_HINT, finding.hint[:1_000]


def test_messages_and_hints_about_a_hostile_document_are_short() -> None:
    found = validate(HOSTILE, limit=MAX_ERRORS).findings
    assert len({finding.path for finding in found}) == MAX_ERRORS
    check_limits(found)


# Texts that are not JSON ----------------------------------------------------------------------------------------------


SOUND = json.dumps(document(TEXT | {"content": "x"}))
# The change of a text, and a part of the hint: the sentences about broken JSON are here alone.
SAID = {
    "a comma too many": ('"x"}', '"x",}', "Remove the comma."),
    "two commas": ('"0.1", ', '"0.1",, ', "Remove the comma, or write a property."),
    "a bracket": ('"x"}]', '"x"]', "Add } for the { in line 1."),
    "a bracket before a comma": (
        '"home"}]}, "pages"', '"home"}, "pages"', "Add ]} before the comma for the [ in line 1."),
    "a comma in place of a bracket": (
        "}]}]}]}", "}],]}]}", "Write } instead of the comma before this for the { in line 1."),
    "a comma, and another bracket": (
        "}]}]}]}", "},)}]}]}", "Remove the comma before this, and write ] instead of ) for the [ in line 1."),
    "an opening bracket": ('"meta": {}', '"meta": }', "Put { here, where the object begins."),
    "a bracket that closes nothing": ('"items": [', '"items": ', "Remove the ]; no bracket is open that it closes."),
    "a bracket at the end": (
        "}]}]}]}", "}]}]}]}}", "Remove the text after the document: a document is one value."),
    "a quote": ('"Home", ', '"Home, ', 'Put " after Home.'),
    "a character": ('"row", ', '"row", @ ', "Remove it."),
    "a comma": ('"0.1",', '"0.1"', "Put a comma after the value before it."),
    ";": ('"0.1",', '"0.1";', "Write , instead of ;."),
    "another quote": ('"Home"', "'Home'", "Write \"Home\" instead of 'Home'."),
    "a quote within": ('"Home"', "'Ho\"me'", "Write \"Ho\\\"me\" instead of 'Ho\"me'."),
    "a long string": ('"Home"', f"'{'word ' * 40}'",
                      "Write \"word word word word wor…rd word word word word \" instead of 'word"),
    "a name": ('"title"', "title", 'Write "title" instead of title.'),
    "a word": ('"meta": {}', '"meta": {"draft": True}', "Write true instead of True, or put"),
    "a comment": ('"meta": {}', '"meta": {} /* or so */', "Remove the comment, from /* to */;"),
    "a quote in a string": ('"Home"', '"The "new" home"', 'Write \\" instead of this quote and of the next one.'),
    "a line break": ('"Home"', '"The\nnew\nhome"', "the line break at the end of this line and of the next one."),
    "a line break alone": ('"Home"', '"The\nhome"', "Write \\n instead of the line break at the end of this line."),
    "no value": ('"Home"', "", "here, for example null."),
    "no end": ("}]}]}]}", "", "Add }]}]}]}; the innermost is the { in line 1. If the text was cut off, the whole"),
    "an end behind a comma": (', "content": "x"}]}]}]}', ",", "Write }]}]}]} instead of the comma at the end; the"),
    "an end behind a semicolon": (', "content": "x"}]}]}]}', ";", "Write }]}]}]} instead of the semicolon at the"),
    "an end behind a colon": ('"x"}]}]}]}', "", "Add null}]}]}]}, with the value of the property instead of null."),
    "an end behind a name": (': "x"}]}]}]}', "", "Add : null}]}]}]}, with the value of the property instead of null."),
    "a space of no width": (" ", "\ufeff\u200b", "Remove every U+FEFF and U+200B."),
    "another bracket": ("}]}]}]}", "}]}]}}}", "Write ] instead of } for the [ in line 1."),
    "an array": (SOUND, f"[{SOUND}]", "The document is in `[0]`: send that."),
    "a string": (SOUND, json.dumps(SOUND), "The document is in the string: send that."),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), SAID.values(), ids=SAID)
def test_a_hint_gives_the_mark_to_write(old: str, new: str, said: str) -> None:
    assert SOUND.count(old) >= 1
    text = SOUND.replace(old, new, 1)
    hint = hint_about(text)
    assert said in hint
    assert read(fix_text(text, hint)).valid


def test_all_syntax_errors_are_in_one_answer_and_the_same_ones_once() -> None:
    text = SOUND.replace('"', "'").replace("'0.1',", '"0.1"').replace("{}", "{,}") + "}"
    hint = hint_about(text)
    assert hint.count("Line 1, column ") == 4
    assert "The same at line:column 1:" in hint
    assert "no comments, no comma before a closing bracket" in hint
    assert json.loads(fix_text(text, hint)) == json.loads(SOUND)


@pytest.mark.parametrize(("count", "is_repeated", "is_complete"), [
    (1, False, True), (2, True, True), (2_000, True, False),
])  # fmt: skip
def test_an_answer_says_where_errors_are_repeated_and_whether_all_was_read(
    count: int, is_repeated: bool, is_complete: bool
) -> None:
    hint = hint_about(f"[{'{,}, ' * (count - 1)}{{,}}]")
    assert ("The same at line:column" in hint) == is_repeated
    assert ("The rest of the text was not read: it may have more of these." in hint) != is_complete


def test_a_list_of_places_ends_with_the_number_of_others() -> None:
    """Those of all groups together are limited."""
    count = MAX_PLACES + 10
    hint = hint_about("[" + "'a', " * count + "1,, " * 3 + "2]")
    assert re.search(r"line:column 1:\d+, .*, 1:\d+ and 9 more\.", hint)
    assert "The same at 2 more places." in hint
    assert hint.count("1:") == MAX_PLACES


@pytest.mark.parametrize("text", ['"a": [1, 2', '"a": {"b": [', 'a: 1, "b": 2', '1, {"b": 2'])
def test_the_line_of_a_bracket_that_is_missing_before_the_text_is_not_named(text: str) -> None:
    lines = re.findall(r"[Ll]ine (-?\d+)", hint_about(text))
    assert lines
    assert set(lines) == {"1"}


def test_most_slips_in_a_text_are_fixed_by_the_hint_alone() -> None:
    """The limits of the benchmark with fewer texts, also for the share of texts that keep their values."""
    counts = trials(range(5 * len(TEXT_BREAKS)))
    assert share(counts[ALL]) >= TARGET
    assert max(*counts[ALL], *counts[LOST]) <= MAX_ROUNDS
    assert share(counts[KEPT]) >= TARGET
