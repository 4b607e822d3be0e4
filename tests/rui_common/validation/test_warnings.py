"""Warnings: no false ones, their fixes, and their cost. tests/cases/warnings.md has what they are about."""

import json
import random
from pathlib import Path

import pytest

from rui_common.describe.examples import full_example, minimal_example
from rui_common.editing.edits import apply
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.problems.document import TOO_LARGE
from rui_common.problems.further import NotHidden
from rui_common.problems.names import RepeatedLink
from rui_common.problems.texts import LostCharacter
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_common.validation.lint_finder import MAX_OF_OPEN_OBJECTS
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.inputs.sample import sample_text
from tests.support.nightly import seeds
from tests.support.small import DOCUMENT, TABLE, TEXT
from tests.support.strategies import MeantGenerator

ROOT = Path(__file__).parents[3]


def warnings_of(text: str) -> list[Diagnostic]:
    found = Analysis(read(text)).diagnostics
    assert all(diagnostic.severity == "warning" for diagnostic in found), found
    return found


# False warnings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted((ROOT / "examples").rglob("*.rui.json")), ids=lambda file: file.name)
def test_examples_have_no_warning(file: Path) -> None:
    found = Analysis(read(file.read_bytes())).diagnostics
    assert [diagnostic for diagnostic in found if diagnostic.severity == "warning"] == []


@pytest.mark.parametrize("document", [minimal_example(), full_example()])
def test_generated_examples_have_no_warning(document: dict[str, object]) -> None:
    assert warnings_of(json.dumps(document)) == []


@pytest.mark.parametrize("further", [False, True])
def test_samples_have_no_warning(further: bool) -> None:
    for seed in seeds(25):
        assert warnings_of(sample_text(3_000, seed=seed, further=further)) == []


def test_documents_as_meant_have_no_warning() -> None:
    for seed in seeds(200):
        document = MeantGenerator(random.Random(seed)).document()
        by_chance = {RepeatedLink.about.code, NotHidden.about.code}
        found = [diagnostic for diagnostic in warnings_of(json.dumps(document)) if diagnostic.code not in by_chance]
        assert found == [], json.dumps(document)


def test_some_extensions_have_names_that_other_systems_use() -> None:
    """Otherwise, the documents above would show less than they claim."""
    words = {word for _, prop in VOCABULARY.props for word in prop.synonyms.split()}
    assert words & {*MeantGenerator.extensions}
    assert {*MeantGenerator.extensions} - words


def test_a_file_that_is_not_utf_8_has_one_error() -> None:
    text = json.dumps({**minimal_example(), "meta": {"title": "Caf\xe9"}}, ensure_ascii=False)
    codes = [diagnostic.code for diagnostic in Analysis(read(text.encode("latin-1"))).diagnostics]
    assert codes == ["INVALID_JSON"]
    warnings = warnings_of(text.encode("latin-1").decode(errors="replace"))
    assert [diagnostic.code for diagnostic in warnings] == [LostCharacter.about.code]


@pytest.mark.parametrize("start", ["{}", "\ufeff{}", '{"é": 1}'])
def test_a_document_that_no_service_accepts(start: str) -> None:
    words = f"The document has {MAX_BODY_BYTES + 1} bytes; a service accepts {MAX_BODY_BYTES} at most."
    for size, messages in ((MAX_BODY_BYTES, []), (MAX_BODY_BYTES + 1, [words])):
        source = start.encode().ljust(size)
        for document in (read(source), read(source.decode())):
            assert [
                diagnostic.message for diagnostic in Analysis(document).diagnostics if diagnostic.code == TOO_LARGE.code
            ] == messages


def test_doubtful_values_of_open_objects_are_limited() -> None:
    columns = ", ".join([STATUS, *['{"key": "status", "type": 5}'] * (MAX_OF_OPEN_OBJECTS + 1)])
    found = Analysis(read(DOCUMENT.replace("BLOCK", table(STATUS, columns)))).diagnostics
    lints = [diagnostic for diagnostic in found if diagnostic.severity == "warning"]
    assert len(lints) == MAX_OF_OPEN_OBJECTS


# Fixes ----------------------------------------------------------------------------------------------------------------


def table(old: str, new: str) -> str:
    assert old in TABLE
    return TABLE.replace(old, new)


STATUS = '{"key": "status"}'
# A block → the title of the first fix, whether it is safe, and the block after it.
FIXED = {
    "another word": (table(STATUS, '{"key": "status", "displayName": "S"}'), 'Rename "displayName" to "label"', True,
                     table(STATUS, '{"key": "status", "label": "S"}')),
    "two words": (table(STATUS, '{"key": "status", "title": "S", "header": "T"}'), 'Rename "title" to "label"', False,
                  table(STATUS, '{"key": "status", "label": "S", "header": "T"}')),
    "a misspelt value": (table(STATUS, '{"key": "status", "type": "bagde"}'), 'Use "badge"', True,
                         table(STATUS, '{"key": "status", "type": "badge"}')),
    "a value with advice": (table(STATUS, '{"key": "status", "type": "currency"}'), 'Use "number"', False,
                            table(STATUS, '{"key": "status", "type": "number"}')),
    "a host": (table("/orders", "//a.example/orders"), 'Use "/orders"', False, TABLE),
    "a space": (table("/orders", "/open orders "), 'Use "/open%20orders"', True, table("/orders", "/open%20orders")),
    "a part of a value, perhaps of a template": (table("/orders", "/a?q=x{id}"), 'Use "/a?q=x%7Bid%7D"', False,
                                                 table("/orders", "/a?q=x%7Bid%7D")),
    "a percent sign": (table("/orders", "/a?b=5%&c=%20"), 'Use "/a?b=5%25&c=%20"', True,
                       table("/orders", "/a?b=5%25&c=%20")),
    "a key": (table(STATUS, '{"key": "$.status"}').replace("]}", '], "filter": {"field": "$.status"}}'),
              'Rename to "status"', True, TABLE.replace("]}", '], "filter": {"field": "status"}}')),
}  # fmt: skip


@pytest.mark.parametrize(("block", "title", "is_safe", "after"), FIXED.values(), ids=FIXED)
def test_fixes(block: str, title: str, is_safe: bool, after: str) -> None:
    text = DOCUMENT.replace("BLOCK", block)
    analysis = Analysis(read(text))
    fix = find_fixes(analysis, analysis.diagnostics[0])[0]
    assert (fix.title, fix.is_safe) == (title, is_safe)
    assert apply(text, fix.edits) == DOCUMENT.replace("BLOCK", after)


NOT_FIXED = {
    "a part of a path": table("/orders", "/orders/{id}"),
    "a path as a key": table(STATUS, '{"key": "a.b"}'),
    "a key that is there": table(STATUS, '{"key": "$.total"}'),
    "a template": TEXT.replace('"x"', '"{{ x }}"'),
    "an overridden property": table(STATUS, '{"key": "status", "title": "a", "title": "b"}'),
}


@pytest.mark.parametrize("block", NOT_FIXED.values(), ids=NOT_FIXED)
def test_what_only_the_author_can_correct_has_no_fix(block: str) -> None:
    analysis = Analysis(read(DOCUMENT.replace("BLOCK", block)))
    lints = [diagnostic for diagnostic in analysis.diagnostics if diagnostic.finding is not None]
    assert lints
    assert [fix for diagnostic in lints for fix in find_fixes(analysis, diagnostic)] == []


# Data -----------------------------------------------------------------------------------------------------------------


def test_values_of_other_systems_are_few_for_each_value() -> None:
    assert any(prop.kind.other_values for shape in VOCABULARY.shapes.values() for prop in shape.all_props)
    for shape in VOCABULARY.shapes.values():
        for prop in shape.all_props:
            others = prop.kind.other_values
            meant = [other.value for other in others.values()]
            assert {*meant} <= {*prop.kind.values}
            assert all(meant.count(value) <= 8 for value in meant)
            assert not others.keys() & {*prop.kind.values}
