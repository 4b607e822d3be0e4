"""The typed decoder only accepts what the validator accepts, and returns the same normal form and hash."""

import json
import random
from collections.abc import Iterable
from itertools import islice

import pytest

from rui_api.decoding.typed_decoder import FastPath
from rui_api.http.responses import to_json
from rui_common.describe import full_example, minimal_example
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.syntax.document import read
from rui_common.validation.analysis import validate
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY, node, one_of
from rui_common.vocabulary.schema import Kind, Mismatch, NodeRole, Prop, ScalarType, Shape, Violation, Vocabulary
from tests.inputs.odd_bodies import bodies
from tests.inputs.sample import sample_text
from tests.support.nightly import seeds

CASES = len(seeds(3_000))
FAST_PATH = FastPath()


def disagreement(body: bytes, fast_path: FastPath, vocabulary: Vocabulary = VOCABULARY) -> tuple[str, bool]:
    """Return what differs, or ``""``; and whether the typed decoder accepted the body."""
    decoded = fast_path.read(body)
    if decoded is None:
        return "", False
    document = read(body)
    if not document.valid or not isinstance(document.value, dict):
        return "the reader refuses it", True
    if validate(document.value, vocabulary, limit=1).findings:
        return "the validator refuses it", True
    if decoded.rui != to_json(normalize(validate(document.value, vocabulary).tree)):
        return f"another normal form: {decoded.rui!r}", True
    if decoded.content_hash() != content_hash(document.value):
        return "another hash", True
    return "", True


def check(body: bytes, is_decoded: bool) -> None:
    """The typed decoder agrees with the validator, and accepts the body or leaves it to the validator."""
    what, decoded = disagreement(body, FAST_PATH)
    assert (what, decoded) == ("", is_decoded), body


def check_all(bodies: Iterable[bytes], vocabulary: Vocabulary, least: int) -> None:
    """The typed decoder of the vocabulary agrees; it accepts and it refuses at least this number of bodies."""
    fast_path = FastPath(vocabulary)
    counts = {True: 0, False: 0}
    for body in bodies:
        what, decoded = disagreement(body, fast_path, vocabulary)
        assert what == "", body
        counts[decoded] += 1
    assert min(counts.values()) >= least


def test_bodies_of_every_kind() -> None:
    check_all(islice(bodies(random.Random(seeds(5)[-1]), 3), CASES), VOCABULARY, CASES // 50)


@pytest.mark.parametrize("text", [
    json.dumps(minimal_example()), json.dumps(full_example(), indent=2),
    json.dumps(dict(reversed(full_example().items()))), sample_text(2_500), sample_text(250_000),
], ids=["minimal", "full", "reversed", "2.5 KB", "250 KB"])  # fmt: skip
def test_examples_are_decoded(text: str) -> None:
    check(text.encode(), True)


def test_the_validator_reads_further_properties() -> None:
    document = full_example()
    document["meta"]["owner"] = {"share": 0.25}
    check(json.dumps(document).encode(), False)


class NumberKind(TextKind):
    """Any JSON number up to 100."""

    json_type = "number"
    word = "a number"
    accepts = Kind.accepts
    scalar_type = None

    def __init__(self) -> None:
        super().__init__()
        self.scalar_type = ScalarType(float)

    def violation(self, value: object) -> Violation | None:
        if type(value) not in (int, float):
            return Violation(Mismatch.WRONG_TYPE, "R7b", self.word)
        return None if value <= 100 else Violation(Mismatch.MALFORMED, "R7b", "a number up to 100")  # type: ignore[operator]


POINT = Shape("Point", "", [Prop("x", NumberKind(), ""), Prop("all", ListKind(NumberKind(), rule="R8"), "")])
OPEN_POINT = Shape(
    "OpenPoint", "", [Prop("x", NumberKind(), "")], suggested=[Prop("y", NumberKind(), "")], is_open=True
)
LIKE = node(
    "Like", NodeRole.BLOCK, "", Prop("a", TextKind(r"^x*$"), ""), Prop("b", TextKind(r"^y+$"), "", required=True)
)
OTHER = node(
    "Other", NodeRole.BLOCK, "", Prop("a", TextKind(r"^x?$"), ""), Prop("b", TextKind(r"^[yz]$"), ""),
    Prop("c", TextKind(), "")
)  # fmt: skip
ALIKE = node(
    "Alike", NodeRole.BLOCK, "", Prop("a", TextKind(r"^x?$"), ""), Prop("b", TextKind(r"^[yz]$"), "", required=True)
)
"""Its properties have the names of those of `LIKE`, and the same one is required."""
UNLIKE = node("Unlike", NodeRole.BLOCK, "", Prop("a", TextKind(max_length=2), ""), Prop("b", one_of("y", "z"), ""))
"""Its properties have other types than those of `LIKE`: the validator reads it."""
NAMELESS = node("Nameless", NodeRole.BLOCK, "", *LIKE.all_props[2:])
NAMELESS.props["id"] = Prop("id", TextKind(r"^[ij]$", max_length=64), "", required=True)
"""Its id is no name, and of another form than that of `LIKE`, but it has the same maximum length."""
HOLDER = Shape("Holder", "", [Prop("closed", ObjectKind(POINT), ""), Prop("open", ObjectKind(OPEN_POINT), "")])
SMALL = Vocabulary("0.1", HOLDER, planned={})


@pytest.mark.parametrize("body", [
    '{"closed":{"x":%s}}', '{"closed":{"all":[1,%s]}}', '{"open":{"x":%s}}', '{"open":{"y":%s,"x":1}}',
])  # fmt: skip
def test_numbers_with_a_fraction(body: str) -> None:
    numbers = [repr(random.Random(n).uniform(-1, 1) * 10.0 ** (n % 44 - 22)) for n in range(300)]
    numbers += [*"0 7 -7 100 1.0 1e2 -0 -0.0 1e-7 0.00001 1E400 101 100.5 9007199254740993".split(), '"1"', "true"]
    check_all([(body % number).encode() for number in numbers], SMALL, 2)


@pytest.mark.parametrize(("other", "decoded"), [
    (OTHER, {"Like", "Other"}), (ALIKE, {"Like", "Alike"}), (UNLIKE, {"Like"}), (NAMELESS, {"Like", "Nameless"}),
], ids=lambda value: getattr(value, "name", ""))  # fmt: skip
def test_blocks_whose_kinds_differ(other: Shape, decoded: set[str]) -> None:
    """The decoder reads both as one class, if the types are the same."""
    block = NodeKind(LIKE, other, child="R13")
    vocabulary = Vocabulary("0.1", Shape("Holder", "", [Prop("block", block, "")]), planned={})
    chance = random.Random(1)
    values = ("x", "xx", "xxx", "y", "yy", "z", "", None, 1)
    blocks = [
        {prop: chance.choice(values) for prop in "abc" if chance.random() < (0.1 if prop == "c" else 0.8)}
        | {"id": chance.choice("iiiijkX"), "type": chance.choice(("Like", other.name, "Text"))}
        for _ in range(3_000)
    ]
    bodies = [json.dumps({"block": block}).encode() for block in blocks]
    check_all(bodies, vocabulary, 50)
    fast_path = FastPath(vocabulary)
    assert {block["type"] for block, body in zip(blocks, bodies, strict=True) if fast_path.read(body)} == decoded


TURNED = node("Turned", NodeRole.BLOCK, "", *reversed(LIKE.all_props[2:]))
"""It has no common order of properties with `LIKE`."""
NESTED = node("Nested", NodeRole.BLOCK, "")
NESTED.props["children"] = Prop("children", ListKind(NodeKind(LIKE, NESTED, child="R13"), rule="R15"), "")


@pytest.mark.parametrize("other", [TURNED, NESTED], ids=lambda shape: shape.name)
def test_a_block_type_that_no_struct_represents(other: Shape) -> None:
    """The validator reads bodies with such a block, and the decoder all others."""
    holder = Shape("Holder", "", [Prop("blocks", ListKind(NodeKind(LIKE, other, child="R13"), rule="R15"), "")])
    vocabulary = Vocabulary("0.1", holder, planned={})
    like = {"id": "a", "type": "Like", "b": "y"}
    unlike = {"id": "c", "type": other.name, "b": "y", "children": [{**like, "id": "d"}]}
    unlike = {name: value for name, value in unlike.items() if name in other.props}
    assert not validate({"blocks": [like, unlike]}, vocabulary).findings
    bodies = [json.dumps({"blocks": blocks}).encode() for blocks in ([like], [unlike], [like, unlike], [like, like])]
    fast_path = FastPath(vocabulary)
    found = [disagreement(body, fast_path, vocabulary) for body in bodies]
    assert found == [("", True), ("", False), ("", False), ("", False)]


class AnyKind(Kind):
    """Any value, for which there is no type."""

    json_type = "object"
    word = "a value"

    def notation(self) -> str:
        return "any"

    def json_schema(self, reference: object) -> dict[str, object]:
        return {}

    def violation(self, value: object) -> None:
        return None


ENDLESS = node("Endless", NodeRole.BLOCK, "")
ENDLESS.props["node"] = Prop("node", NodeKind(ENDLESS, LIKE, child="R13"), "")
ENDLESS.props["object"] = Prop("object", ObjectKind(ENDLESS), "")
"""It contains itself as a node and as an object."""
OPEN_NODE = Shape("X", "", node("X", NodeRole.BLOCK, "").all_props, is_open=True, role=NodeRole.BLOCK)


@pytest.mark.parametrize(("root", "body"), [
    (Shape("Any", "", [Prop("x", AnyKind(), "", required=True)]), b'{"x":1}'),
    (Shape("Name", "", [Prop("a b", TextKind(), "")]), b'{"a b":"x"}'),
    (Shape("Open", "", [Prop("x", ObjectKind(POINT), "")], is_open=True), b'{"x":{"x":1},"y":2}'),
    (Shape("Nodes", "", [Prop("block", NodeKind(OPEN_NODE, child="R13"), "")]), b'{"block":{"id":"a","type":"X"}}'),
    (ENDLESS, b'{"id":"a","type":"Endless","node":{"id":"b","type":"Like","b":"y"}}'),
], ids=lambda value: getattr(value, "name", ""))  # fmt: skip
def test_a_root_that_no_struct_represents(root: Shape, body: bytes) -> None:
    """The validator reads every body that the decoder refuses."""
    vocabulary = Vocabulary("0.1", root, planned={})
    assert validate(json.loads(body), vocabulary).findings == []
    assert FastPath(vocabulary).read(body) is None
    assert FastPath(vocabulary).read(b'{"block":{}}') is None


def test_nodes_of_the_same_types_at_two_places() -> None:
    places = [Prop(name, NodeKind(LIKE, ALIKE, child="R13"), "") for name in ("first", "second")]
    vocabulary = Vocabulary("0.1", Shape("Holder", "", places), planned={})
    body = {"first": {"id": "a", "type": "Like", "b": "y"}, "second": {"id": "b", "type": "Alike", "b": "z"}}
    assert disagreement(json.dumps(body).encode(), FastPath(vocabulary), vocabulary) == ("", True)


def test_a_suggested_property_that_no_type_represents() -> None:
    vocabulary = Vocabulary(
        "0.1", Shape("Free", "", [], suggested=[Prop("x", AnyKind(), "")], is_open=True), planned={}
    )
    assert disagreement(b'{"x":[1]}', FastPath(vocabulary), vocabulary) == ("", False)


@pytest.mark.parametrize("kind", [TextKind(), TextKind(r"^x$")], ids=["any text", "a pattern"])
def test_a_variant_requires_a_further_property(kind: TextKind) -> None:
    loose = Shape("Loose", "", [Prop("x", kind, "")])
    tight = loose.with_required("x", missing="R7a")
    root = Shape("Both", "", [Prop("loose", ObjectKind(loose), ""), Prop("tight", ObjectKind(tight), "")])
    vocabulary = Vocabulary("0.1", root, planned={})
    bodies = [b'{"loose":{}}', b'{"tight":{"x":"x"}}', b'{"tight":{}}', b'{"loose":{"x":"x"},"tight":{}}']
    fast_path = FastPath(vocabulary)
    found = [disagreement(body, fast_path, vocabulary) for body in bodies]
    assert found == [("", True), ("", True), ("", False), ("", False)]


class ShortKind(TextKind):
    """A kind that changes what is well formed."""

    def fits(self, text: str) -> bool:
        return len(text) == 1 and super().fits(text)


class LoudKind(TextKind):
    """A kind that changes something else."""

    word = "a loud string"


class OddKind(TextKind):
    """A kind that accepts less than its type."""

    def violation(self, value: object) -> Violation | None:
        return None if self.accepts(value) else Violation(Mismatch.MALFORMED, "R7b", "an odd text")

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and len(value) % 2 == 1


@pytest.mark.parametrize("kind", [
    ShortKind(r"^x*$"), LoudKind(r"^x+$"), LoudKind(), LoudKind(max_length=2), OddKind(), OddKind(max_length=2),
], ids=lambda kind: type(kind).__name__)  # fmt: skip
@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("is_root", [False, True])
def test_subclasses_of_a_kind(kind: TextKind, is_open: bool, is_root: bool) -> None:
    """The decoder does not depend on the class of a kind, and asks one that changes what is well formed."""
    inner = Shape("Inner", "", [Prop("x", kind, "")], is_open=is_open)
    shape = Shape("Outer", "", [Prop("inner", ObjectKind(inner), "")])
    values = ("", "x", "xx", "xxx", "y", "yy", "yyy", None, 1, [])
    objects = [{"x": value} for value in values]
    bodies = [json.dumps(value if is_root else {"inner": value}).encode() for value in objects]
    check_all(bodies, Vocabulary("0.1", inner if is_root else shape, planned={}), 1)


def test_a_subclass_is_tested_as_fast_as_its_base() -> None:
    assert LoudKind(r"^x+$").typed_test() is not None
    assert LoudKind().typed_test() is None
