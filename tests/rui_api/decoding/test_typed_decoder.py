"""The typed decoder only accepts what the validator accepts, and returns the same normal form and hash."""

import json
import random
from itertools import islice
from typing import Any

import pytest

from rui_api.decoding.struct_types import UnsupportedVocabularyError
from rui_api.decoding.typed_decoder import FastPath
from rui_common.describe import full_example, minimal_example
from rui_common.vocabulary.kinds import AnyKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import RUI, TEXT, VOCABULARY, node, one_of
from rui_common.vocabulary.schema import Prop, ScalarType, Shape, Symbol, Violation, Vocabulary
from tests.inputs.odd_bodies import bodies
from tests.inputs.sample import sample_text
from tests.rui_api.decoding.differential import disagreement

CASES = 10_000
FAST_PATH = FastPath()


def check(body: bytes, is_decoded: bool | None = None) -> None:
    """The typed decoder agrees with the validator; `is_decoded` is the expected acceptance of the body."""
    what, decoded = disagreement(body, FAST_PATH)
    assert what == "", body
    assert is_decoded is None or decoded == is_decoded, body


def with_meta(value: str) -> bytes:
    return json.dumps(minimal_example()).encode().replace(b'"meta": {}', b'"meta": ' + value.encode(), 1)


def test_bodies_of_every_kind() -> None:
    counts = {True: 0, False: 0}
    for body in islice(bodies(random.Random(4), 3), CASES):
        what, decoded = disagreement(body, FAST_PATH)
        assert what == "", body
        counts[decoded] += 1
    assert min(counts.values()) > CASES / 50, "the bodies test both cases"


@pytest.mark.parametrize("text", [
    json.dumps(minimal_example()), json.dumps(full_example(), indent=2),
    json.dumps(dict(reversed(full_example().items()))), sample_text(2_500), sample_text(250_000),
], ids=["minimal", "full", "reversed", "2.5 KB", "250 KB"])  # fmt: skip
def test_examples_are_decoded(text: str) -> None:
    check(text.encode(), True)


NESTED = '{"x":' + "[" * 300 + "]" * 300


@pytest.mark.parametrize("meta", [
    "{}", '{"title":"a"}', '{"description":"b","title":"a"}', '{"title":"a","title":"b"}', '{"title":"\\u0000"}',
    '{"title":"\\ud83d\\ude00"}', '{"z":"1","a":{"c":1,"b":[{}]}}', '{"title":null}', '{"big":9007199254740992}',
    '{"x":0.5}', '{"x":1e3}', '{"é":1}', '{"x":1,"x":2}', '{"x":-0}', '{"x":-0.0}', '{"x":1e21}', '{"x":1e-7}',
    '{"x":"\\u003a","x":1}', '{"x":"\\u00e9"}', '{"x":' + "[" * 5 + "]" * 5 + "}", '{"\ue000":1,"\U0001f600":2}',
    '{"b":1,"title":{"b":1,"a":2},"a":[0.5]}', '{"x":[1e16,1e-7,-0.0,1.0,8999999999999999,0.30000000000000004]}',
    NESTED + ',"x":1}', '{"x":' + "[" * 240 + "]" * 240 + "}", '{"x":[1e16,1e-7],"w":{"b":{"":1,"😀":2},"a":{}}}',
])  # fmt: skip
def test_open_objects(meta: str) -> None:
    check(with_meta(meta), True)


@pytest.mark.parametrize("body", [
    *map(with_meta, (
        '{"big":9007199254740993}', NESTED + "}", '{"x":' + "[" * 241 + "]" * 241 + "}", '{"x":[1e400],"x":1}',
        '{"x":[9007199254740993]}', '{"x":[-10000000000000001]}', '{"x":' + "9" * 309 + ',"x":1}',
        '{"x":1e400,"x":1}', '{"x":"\\ud800","x":1}', '{"title":"\\ud83d"}', "[]", "null",
    )),
    b"", b" ", b"null", b"[]", b"{", b"{}", b"\xff", b"\xef\xbb\xbf{}", b"[" * 100_000, b'{"meta":' * 50_000,
    b'{"version":"0.1"} x', b'{"version":' + b"9" * 100_000,
])  # fmt: skip
def test_what_is_left_to_the_validator(body: bytes) -> None:
    check(body, False)


FURTHER: dict[str, object] = {"share": 0.25, "icon": "home", "tags": ["b", {"z": None, "y": [True]}]}


@pytest.mark.parametrize("name", ["meta", "items", "columns", "filter", "options"])
def test_further_properties_of_every_open_shape(name: str) -> None:
    document = full_example()
    found = [value for key, value in members(document) if key == name]
    assert found
    for value in found:
        for target in value if isinstance(value, list) else [value]:
            own = dict(target)
            target.clear()
            target.update({"order": 3, **own, **FURTHER})
    check(json.dumps(document).encode(), True)
    check(json.dumps(document).replace('"key"', '"kye"').encode(), False)
    check(json.dumps(document).replace('"field": "', '"field": "x').encode(), False)


def members(value: object) -> list[tuple[str, Any]]:
    """Return every name and value of all objects in a value."""
    if isinstance(value, dict):
        return [*value.items(), *members([*value.values()])]
    if isinstance(value, list):
        return [pair for element in value for pair in members(element)]
    return []


def test_a_repeated_type_does_not_deceive() -> None:
    """Of repeated keys the last one counts, also if the key is the type of a block."""
    text = json.dumps(minimal_example())
    for one, other in (("Text", "Metric"), ("Metric", "Text"), ("Table", "Text"), ("Text", "Text")):
        for doubled in (f'"type": "{other}", "type": "{one}"', f'"type": "{one}", "id": "q", "type": "{other}"'):
            check(text.replace(f'"type": "{one}"', doubled).encode())


def vocabulary_with(*blocks: Shape) -> Vocabulary:
    """Return RUI 0.1 with other blocks in its sections and a property named like a Python keyword."""
    section = node("Section", "layout", "", Prop("class", one_of("a", "b"), ""),
                   Prop("children", ListKind(NodeKind(*blocks, child="R13"), empty="R16"), "",
                        required=True))  # fmt: skip
    page = node(
        "Page", "layout", "", Prop("children", ListKind(NodeKind(section, child="R12"), empty="R15"), "", required=True)
    )
    props = [prop for prop in RUI.props.values() if prop.name != "pages"]
    defines = next(prop for prop in RUI.props.values() if prop.name == "pages").kind.items.defines
    pages = Prop(
        "pages", ListKind(NodeKind(page, child="R7b", at_type=True, defines=defines), empty="R8"), "", required=True
    )
    return Vocabulary("0.1", Shape("RUI", "", [*props, pages], scope=RUI.scope), planned=VOCABULARY.planned)


def document_with(block: dict[str, object]) -> bytes:
    section = {"id": "s", "type": "Section", "class": "a", "children": [block]}
    page = {"id": "p", "type": "Page", "children": [section]}
    return json.dumps(
        {"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "p"}]}, "pages": [page]}
    ).encode()


def test_another_block_type_is_data() -> None:
    image = node(
        "Image", "block", "", Prop("aria-label", TextKind(), "", required=True), Prop("src", TextKind(r"^/.+$"), "")
    )
    fast_path = FastPath(vocabulary_with(TEXT, image))
    right = document_with({"aria-label": "x", "type": "Image", "id": "i", "src": "/a"})
    plain = fast_path.read(right)
    assert plain is not None
    assert b'{"id":"i","type":"Image","aria-label":"x","src":"/a"}' in plain.rui
    labelled = {"type": "Image", "aria-label": "x"}
    for wrong in ({"id": "i", "type": "Image"}, {"id": "i", "src": "a", **labelled}, {"id": "p", **labelled}):
        assert fast_path.read(document_with(wrong)) is None


LIKE = node("Like", "block", "", Prop("a", TextKind(r"^x*$"), ""), Prop("b", TextKind(r"^y+$"), "", required=True))
FIRST, SECOND = LIKE.props["a"], LIKE.props["b"]
BESIDE = {
    "one order": (node("Other", "block", "", Prop("z", TextKind(), "", required=True), SECOND), TEXT),
    "kinds that differ": (node("Other", "block", "", FIRST, Prop("b", one_of("y", "z"), "")),),
    "lengths that differ": (node("Other", "block", "", Prop("a", TextKind(max_length=2), "", required=True)),),
}
"""Blocks that the decoder reads as one class with `LIKE`, each for another reason."""


@pytest.mark.parametrize("name", BESIDE)
def test_blocks_of_every_sort_stand_beside_each_other(name: str) -> None:
    vocabulary = vocabulary_with(LIKE, *BESIDE[name])
    fast_path = FastPath(vocabulary)
    chance = random.Random(name)
    counts = {True: 0, False: 0}
    for _ in range(3_000):
        block = {
            prop: chance.choice(("x", "xx", "xxx", "y", "yy", "", None, [], 1, {}))
            if chance.random() < 0.1 else chance.choice(("x", "y") if prop == "a" else ("y", "y", "z"))
            for prop in ("a", "b", "z", "content") if chance.random() < 0.4
        }  # fmt: skip
        block |= {"id": "i", "type": chance.choice(("Like", "Other", "Other", "Text", "", 0, []))}
        what, decoded = disagreement(document_with(block), fast_path, vocabulary)
        assert what == "", block
        counts[decoded] += 1
    assert min(counts.values()) > 50


SYMBOLS = {
    "unique and defined": Symbol("key", "", duplicate="R10", dangling="R11"),
    "either may occur twice": Symbol("key", "", dangling="R11"),
    "may lead nowhere": Symbol("key", "", duplicate="R10"),
    "all have to be used": Symbol("key", "", duplicate="R10", dangling="R11", unused="R3"),
}


@pytest.mark.parametrize("symbol", SYMBOLS.values(), ids=SYMBOLS)
def test_names_within_a_block(symbol: Symbol) -> None:
    item = ObjectKind(Shape("Item", "", [Prop("key", TextKind(), "", required=True, defines=symbol)]))
    use = ObjectKind(Shape("Use", "", [Prop("of", TextKind(), "", required=True, uses=symbol)]))
    shape = node(
        "Keys", "block", "", Prop("one", use, ""),
        Prop("items", ListKind(item, empty="R16"), "", required=True, missing="R2"),
        Prop("more", ListKind(item, empty="R16"), ""), Prop("many", ListKind(use, empty="R16"), ""),
        scope=(symbol,),
    )  # fmt: skip
    vocabulary = vocabulary_with(shape, TEXT)
    fast_path = FastPath(vocabulary)
    chance = random.Random(symbol.duplicate)
    counts = {True: 0, False: 0}
    for _ in range(1_000):
        items, more = ([{"key": key} for key in chance.sample("abcdef", chance.randint(1, 3))] for _ in range(2))
        uses = [{"of": chance.choice("abc")} for _ in range(chance.randint(1, 2))]
        values = {"items": items, "more": more, "one": uses[0], "many": uses}
        props = (prop for prop in values if chance.random() < (0.9 if prop == "items" else 0.4))
        block = {"id": "i", "type": "Keys"} | {prop: values[prop] for prop in props}
        what, decoded = disagreement(document_with(block), fast_path, vocabulary)
        assert what == "", block
        counts[decoded] += 1
    assert min(counts.values()) > 10


FOREIGN = {"label": "x", "title": "x", "content": "x", "format": "text", "direction": "row", "filter": {"field": "a"}}


@pytest.mark.parametrize("node_type", ["Metric", "Table", "Text"])
def test_blocks_are_looked_at_as_their_type_asks(node_type: str) -> None:
    document = full_example()
    text = json.dumps(document)
    shape = VOCABULARY.nodes[node_type]
    head = f'"type": "{node_type}"'
    for name, value in FOREIGN.items():
        check(
            text.replace(head, f'{head}, "{name}": {json.dumps(value)}', 1).encode(),
            None if name in shape.props else False,
        )
    for name in shape.required:
        check(text.replace(f'"{name}"', '"unknown"').encode(), False)
    for name in shape.props:
        for odd in ("null", "0", "[]", "{}", '"Chart"', "[[]]"):
            check(text.replace(head, f'{head}, "{name}": {odd}', 1).encode())
            check(text.replace(head, f'"{name}": {odd}, {head}', 1).encode())
    for odd in ("null", "0", "[]", "{}", '"Chart"', '"Section"', '"metric"', '""'):
        check(text.replace(head, f'"type": {odd}').encode(), False)


def test_unsupported_vocabularies() -> None:
    group = Shape("Group", "", [])
    group.props["inner"] = Prop("inner", ObjectKind(group), "")
    for block, words in (
        (node("Other", "block", "", SECOND, FIRST), r"Like \| Other have no common order"),
        (node("Anything", "block", "", Prop("value", AnyKind(), "")), "No type for values of any"),
        (node("Holder", "block", "", Prop("group", ObjectKind(group), "")), "Group contains itself"),
    ):
        with pytest.raises(UnsupportedVocabularyError, match=words):
            FastPath(vocabulary_with(LIKE, block))


class NumberKind(TextKind):
    """Any JSON number up to 100."""

    json_type = "number"
    word = "a number"
    scalar_type = None

    def __init__(self) -> None:
        super().__init__()
        self.scalar_type = ScalarType(float)

    def violation(self, value: object) -> Violation | None:
        if type(value) not in (int, float):
            return Violation("R7b", self.word, is_wrong_type=True)
        return None if value <= 100 else Violation("R7b", "a number up to 100")  # type: ignore[operator]

    def refusals(self, value: str, constant: object, *, is_typed: bool = False) -> list[str]:
        return [f"type({value}) not in (int, float)", f"{value} > 100"]


POINT = Shape("Point", "", [Prop("x", NumberKind(), ""), Prop("all", ListKind(NumberKind(), empty="R8"), "")])
OPEN_POINT = Shape(
    "OpenPoint", "", [Prop("x", NumberKind(), "")], suggested=[Prop("y", NumberKind(), "")], is_open=True
)
HOLDER = Shape("Holder", "", [Prop("closed", ObjectKind(POINT), ""), Prop("open", ObjectKind(OPEN_POINT), "")])
NUMBERS = Vocabulary("0.1", HOLDER, planned={})
NUMBERS_DECODER = FastPath(NUMBERS)


@pytest.mark.parametrize("body", [
    '{"closed":{"x":%s}}', '{"closed":{"all":[1,%s]}}', '{"open":{"x":%s}}', '{"open":{"y":%s,"x":1}}',
    '{"open":{"z":%s,"x":2}}',
])  # fmt: skip
def test_numbers_with_a_fraction(body: str) -> None:
    random_numbers = [repr(random.Random(n).uniform(-1, 1) * 10.0 ** (n % 44 - 22)) for n in range(1_000)]
    odd = ["1.0", "1e2", "-0", "-0.0", "1e-7", "0.00001", "1E400", "101", "100.5", "9007199254740993", '"1"', "true"]
    for number in (*odd, *random_numbers):
        what, _ = disagreement((body % number).encode(), NUMBERS_DECODER, NUMBERS)
        assert what == "", body % number
    accepted = [
        disagreement((body % number).encode(), NUMBERS_DECODER, NUMBERS)[1] for number in ("7", "-0.5", "99.25")
    ]
    assert all(accepted)
