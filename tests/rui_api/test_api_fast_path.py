"""The fast path says "plainly valid" only where the validator does, and gives the same normal form and hash."""

import json
import random
from itertools import islice

import pytest
from msgspec import UNSET

from benchmarks.differential import disagreement
from benchmarks.odd_bodies import bodies
from benchmarks.sample import sample_text
from rui_api.decoding.pattern_checks import all_fit
from rui_api.decoding.typed_decoder import FastPath, value_of
from rui_common.describe import full_example, minimal_example
from rui_common.syntax.document import read
from rui_common.vocabulary.kinds import AnyKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import ID_PATTERN, RUI, TEXT, VALUE_PATH_PATTERN, VOCABULARY, node, one_of
from rui_common.vocabulary.schema import Prop, Shape, Symbol, Vocabulary

CASES = 10_000
FAST_PATH = FastPath()


def check(body: bytes, readers: int | None = None) -> None:
    """No reader of the fast path contradicts the validator; so many of them take the body."""
    what, taken = disagreement(body, FAST_PATH)
    assert what == "", body
    assert readers is None or taken == readers, body


def test_bodies_of_every_kind() -> None:
    taken = [0, 0, 0]
    for body in islice(bodies(random.Random(4), 3), CASES):
        what, readers = disagreement(body, FAST_PATH)
        assert what == "", body
        taken[readers] += 1
    assert min(taken) > CASES / 50, "the bodies say something about each of the readers"


@pytest.mark.parametrize("document", [minimal_example(), full_example()], ids=["minimal", "full"])
def test_examples_are_plainly_valid(document: dict[str, object]) -> None:
    for text in (json.dumps(document), json.dumps(document, indent=2), json.dumps(dict(reversed(document.items())))):
        check(text.encode(), 2)


@pytest.mark.parametrize("size", [2_500, 250_000])
def test_large_documents_are_plainly_valid(size: int) -> None:
    check(sample_text(size).encode(), 2)


def with_meta(value: str) -> bytes:
    return json.dumps(minimal_example()).encode().replace(b'"meta": {}', b'"meta": ' + value.encode("utf-8"), 1)


@pytest.mark.parametrize(("meta", "readers"), [
    ("{}", 2), ('{"title":"a"}', 2), ('{"description":"b","title":"a"}', 2), ('{"z":"1","a":{"c":1,"b":[{}]}}', 1),
    ('{"title":null}', 1), ('{"big":9007199254740992}', 1), ('{"big":9007199254740993}', 0), ('{"x":0.5}', 0),
    ('{"x":1e3}', 0), ('{"é":1}', 0), ('{"x":"é"}', 1), ('{"x":1,"x":2}', 0), ('{"title":"a","title":"b"}', 1),
    ('{"x":' + "[" * 90 + "]" * 90 + "}", 1), ('{"x":' + "[" * 300 + "]" * 300 + "}", 0),
    ('{"x":' + "[" * 300 + "]" * 300 + ',"x":1}', 0), ('{"x":' + "9" * 309 + ',"x":1}', 0), ('{"x":1e400,"x":1}', 0),
    ('{"x":"\\ud800","x":1}', 0), ('{"x":"\\u003a","x":1}', 0), ('{"x":"\\u003A"}', 0), ('{"x":"\\u00e9"}', 1),
    ('{"title":"\\u0000"}', 2), ('{"title":"\\ud83d\\ude00"}', 2), ('{"title":"\\ud83d"}', 0), ("[]", 0), ("null", 0),
])  # fmt: skip
def test_open_objects(meta: str, readers: int) -> None:
    check(with_meta(meta), readers)


@pytest.mark.parametrize("body", [
    b"", b" ", b"null", b"[]", b"{", b"{}", b"\xff", b"\xef\xbb\xbf{}", b"[" * 100_000, b'{"meta":' * 50_000,
    b'{"version":"0.1"} x', b'{"version":' + b"9" * 100_000,
])  # fmt: skip
def test_everything_else_is_left_to_the_validator(body: bytes) -> None:
    check(body, 0)


def test_a_repeated_type_does_not_deceive() -> None:
    """Of repeated keys the last one counts, also of the one that tells blocks apart."""
    text = json.dumps(minimal_example())
    for given, other in (("Text", "Metric"), ("Metric", "Text"), ("Table", "Text"), ("Text", "Text")):
        for doubled in (f'"type": "{other}", "type": "{given}"', f'"type": "{given}", "id": "q", "type": "{other}"'):
            check(text.replace(f'"type": "{given}"', doubled).encode())


@pytest.mark.parametrize(("pattern", "right", "wrong"), [
    (ID_PATTERN, ["a", "a-1", "b"], ["A", "", "a\n", "a\nb", "\na", "a b", "é"]),
    (VALUE_PATH_PATTERN, ["a", "a.b", "größe.数量"], ["", "a.", "a..b", "a.b\n", "a\nb", "$.a"]),
    (r"^/[\s\S]*$", ["/", "/a\nb", "//"], ["", "a/", "\n/"]),
    (r"^a.c$", ["abc", "a\u2028c"], ["ac", "a\nc", "abc\n"]), (r"^(a|b)$", ["a", "b"], ["ab", "c", "a\nb"]),
    (r"^[^a]+$", ["b\nb"], ["a"]), (r"^\s$", ["\n"], ["a"]), (r"^a$|^b$", ["a", "b"], ["c", "a\nb"]),
    (r"^[\t- ]$", ["\n"], ["a"]), (r"^(?s:.)$", ["\n", "a"], ["ab"]),
    (r"^a*ab$", ["ab", "aaab"], ["a", "ba"]), (r"^(a|ab)(c|bcd)?$", ["a", "abcd", "ac"], ["abb", ""]),
    (r"^\d\w[\d.]*[\w-]$", ["1ax", "١ü9.数", "1_.-"], ["aax", "1", "1 x", "1a.\n"]),
    (r"^x{1,2}x$", ["xx", "xxx"], ["x", "xxxx"]), (r"^[+*]+?a??$", ["+", "*+a"], ["a", "+aa"]),
])  # fmt: skip
def test_forms_are_asked_about_all_at_once(pattern: str, right: list[str], wrong: list[str]) -> None:
    fit = all_fit(pattern)
    assert fit([])
    assert fit(right)
    for text in wrong:
        for texts in ([text], [*right, text], [text, *right]):
            assert not fit(texts), (pattern, texts)


def vocabulary_with(*blocks: Shape) -> Vocabulary:
    """RUI 0.1 with other blocks in its sections, and a property that is a keyword of Python."""
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


def blocks(name: str) -> tuple[Shape, ...]:
    """Blocks that are read as one, or that no single object can hold, each for a reason of its own."""
    first, second = Prop("a", TextKind(r"^x*$"), ""), Prop("b", TextKind(r"^y+$"), "", required=True)
    like = node("Like", "block", "", first, second)
    return (like, *{
        "one order": (node("Other", "block", "", Prop("z", TextKind(), "", required=True), second), TEXT),
        "orders that contradict": (node("Other", "block", "", second, first),),
        "kinds that differ": (node("Other", "block", "", first, Prop("b", one_of("y", "z"), "")),),
        "lengths that differ": (node("Other", "block", "", Prop("a", TextKind(max_length=2), "", required=True)),),
        "the same": (node("Other", "block", "", first, second),),
    }[name])  # fmt: skip


@pytest.mark.parametrize(
    "name", ["one order", "orders that contradict", "kinds that differ", "lengths that differ", "the same"]
)
def test_blocks_of_every_sort_stand_beside_each_other(name: str) -> None:
    vocabulary = vocabulary_with(*blocks(name))
    fast_path = FastPath(vocabulary)
    chance = random.Random(name)
    taken = [0, 0, 0]
    for _ in range(3_000):
        block = {
            prop: chance.choice(("x", "xx", "xxx", "y", "yy", "", None, [], 1, {}))
            if chance.random() < 0.1 else chance.choice(("x", "y") if prop == "a" else ("y", "y", "z"))
            for prop in ("a", "b", "z", "content") if chance.random() < 0.4
        }  # fmt: skip
        block |= {"id": "i", "type": chance.choice(("Like", "Other", "Other", "Text", "", 0, []))}
        what, readers = disagreement(document_with(block), fast_path, vocabulary)
        assert what == "", block
        taken[readers] += 1
    assert min(taken[0], taken[2]) > 50


KEY = Symbol("key", "", duplicate="R10", dangling="R11")
KEY_ROLES = {
    "either may stand twice": Symbol("key", "", dangling="R11"),
    "may lead nowhere": Symbol("key", "", duplicate="R10"),
    "all have to be used": Symbol("key", "", duplicate="R10", dangling="R11", unused="R3"),
}


def with_keys(name: str) -> Shape:
    """A block with names of its own that others of its properties use, in one place or in several."""
    symbol = KEY_ROLES.get(name, KEY)
    item = ObjectKind(Shape("Item", "", [Prop("key", TextKind(), "", required=True, defines=symbol)]))
    use = ObjectKind(Shape("Use", "", [Prop("of", TextKind(), "", required=True, uses=symbol)]))
    items = Prop("items", ListKind(item, empty="R16"), "", required=name != "a list that may be absent", missing="R2")
    one, many, more = Prop("one", use, ""), Prop("many", ListKind(use, empty="R16"), ""), Prop("more", items.kind, "")
    props = {
        "one place behind": (items, one), "one place before": (one, items), "a list behind": (items, many),
        "two places": (items, one, many), "two lists": (items, more, one),
    }.get(name, (items, one))  # fmt: skip
    return node("Keys", "block", "", *props, scope=(symbol,))


@pytest.mark.parametrize("name", [
    "one place behind", "one place before", "a list behind", "two places", "two lists", "a list that may be absent",
    *KEY_ROLES,
])  # fmt: skip
def test_names_within_a_block(name: str) -> None:
    shape = with_keys(name)
    vocabulary = vocabulary_with(shape, TEXT)
    fast_path = FastPath(vocabulary)
    chance = random.Random(name)
    taken = [0, 0, 0]
    for _ in range(2_000):
        most = chance.choice((3, 3, 3, 9))
        names = "abcde" if most == 3 else "abcdefghijklmnopqrstuvwxyz"
        items, more = ([{"key": chance.choice(names)} for _ in range(chance.randint(1, most))] for _ in range(2))
        uses = [{"of": chance.choice("abc")} for _ in range(chance.randint(1, 2))]
        given = {"items": items, "more": more, "one": uses[0], "many": uses}
        props = (prop for prop in given if prop in shape.props and chance.random() < (0.9 if prop == "items" else 0.6))
        block = {"id": "i", "type": "Keys"} | {prop: given[prop] for prop in props}
        what, readers = disagreement(document_with(block), fast_path, vocabulary)
        assert what == "", block
        taken[readers] += 1
    assert min(taken[0], taken[2]) > 50


FOREIGN = {"label": "x", "title": "x", "content": "x", "format": "text", "direction": "row", "filter": {"field": "a"}}


@pytest.mark.parametrize("given", ["Metric", "Table", "Text"])
def test_blocks_are_looked_at_as_their_type_asks(given: str) -> None:
    document = full_example()
    text = json.dumps(document)
    shape = VOCABULARY.nodes[given]
    head = f'"type": "{given}"'
    assert head in text
    for name, value in FOREIGN.items():
        check(
            text.replace(head, f'{head}, "{name}": {json.dumps(value)}', 1).encode(), None if name in shape.props else 0
        )
    for name in shape.required:
        check(text.replace(f'"{name}"', '"unknown"').encode(), 0)
    for name in shape.props:
        for odd in ("null", "0", "[]", "{}", '"Chart"', "[[]]"):
            check(text.replace(head, f'{head}, "{name}": {odd}', 1).encode())
            check(text.replace(head, f'"{name}": {odd}, {head}', 1).encode())
    for odd in ("null", "0", "[]", "{}", '"Chart"', '"Section"', '"metric"', '""'):
        check(text.replace(head, f'"type": {odd}').encode(), 0)


def test_what_cannot_be_judged_is_left_to_the_validator() -> None:
    anything = node("Anything", "block", "", Prop("value", AnyKind(), ""))
    fast_path = FastPath(vocabulary_with(TEXT, anything))
    assert fast_path.readers == ()
    assert fast_path.read(document_with({"id": "t", "type": "Text", "content": ""})) is None


def test_a_shape_that_holds_itself_is_left_to_the_validator() -> None:
    props: list[Prop] = []
    group = Shape("Group", "", props)
    group.props["inner"] = Prop("inner", ObjectKind(group), "")
    holder = node("Holder", "block", "", Prop("group", ObjectKind(group), ""))
    assert FastPath(vocabulary_with(TEXT, holder)).readers == ()


@pytest.mark.parametrize(("body", "is_read"), [
    (b"{}", True), (b'{"a":[1,-0,0.1,1e22,"\\u0000",null,true]}', True), (b'{"a":1,"b":2,"a":3}', True), (b"[1]", True),
    (b'{"a":' + b"9" * 308 + b"}", True), (b'{"a":' + b"9" * 309 + b"}", False), (b'{"a":1e400}', False),
    (b'{"a":' + b"[" * 255 + b"]" * 255 + b"}", True), (b'{"a":' + b"[" * 256 + b"]" * 256 + b"}", False),
    (b'{"a":"\\ud800"}', False), (b"\xef\xbb\xbf{}", False), (b"{} x", False), (b'"\xff"', False), (b"", False),
])  # fmt: skip
def test_values_are_those_of_the_shared_reader(body: bytes, is_read: bool) -> None:
    value = value_of(body)
    assert (value is not UNSET) == is_read
    if is_read:
        document = read(body)
        assert document.valid
        assert repr(document.value) == repr(value)
