"""Values that fixes insert because only the author knows the right one: they are marked until they are set."""

import json

import pytest

from rui_common.editing.edits import apply
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.problems.texts import Placeholder
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import without_placeholders
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.rui_common.vocabulary.gizmo import EXTENDED, with_gizmo
from tests.support.small import block

METRIC = '{"id": "m", "type": "Metric", "label": "M"}'
NO_PATH = """\
{"id": "m", "type": "Metric", "label": "M", "binding": {"type": "read", "method": "GET", "valuePath": "a"}}"""

# Text, rule of a diagnostic, title of a fix → the placeholders after it.
INSERTED = {
    "a binding of a Metric": (METRIC, "R18", 'Add "binding"', ['"/TODO"', '"TODO"']),
    "a path": (NO_PATH, "R6", 'Add "path"', ['"/TODO"']),
    "a text": ('{"id": "a", "type": "Text"}', "R6", 'Add "content"', ['"TODO"']),
    "all that is missing": ('{"id": "m", "type": "Metric"}', "R18", "Add all 2 missing properties",
                            ['"TODO"', '"/TODO"', '"TODO"']),
}  # fmt: skip


@pytest.mark.parametrize(("element", "rule", "title", "expected"), INSERTED.values(), ids=INSERTED)
def test_what_only_the_author_knows_is_marked_after_a_fix(
    element: str, rule: str, title: str, expected: list[str]
) -> None:
    text = block(element)
    document = read(text)
    analysis = Analysis(document)
    fixes = [
        fix
        for diagnostic in analysis.diagnostics
        if diagnostic.rule == rule
        for fix in find_fixes(analysis, diagnostic)
    ]
    fix = next(fix for fix in fixes if fix.title == title)
    assert not fix.is_safe
    after = read(apply(text, fix.edits))
    found = Analysis(after).diagnostics
    assert [after.text[diagnostic.span.start : diagnostic.span.end] for diagnostic in found] == expected
    assert {diagnostic.code for diagnostic in found} == {Placeholder.about.code}
    assert without_placeholders(found) == []


def test_every_placeholder_is_a_value_of_its_property() -> None:
    props = [prop for _, prop in VOCABULARY.props if prop.placeholder]
    assert {prop.name for prop in props} >= {"path", "valuePath", "label", "title", "content", "key", "field"}
    for prop in props:
        assert prop.kind.accepts(prop.placeholder)
        assert prop.placeholder != prop.example


def test_a_new_block_type_gets_them_by_its_data() -> None:
    document = read(json.dumps(with_gizmo({"binding": None, "unit": None})))
    analysis = Analysis(document, EXTENDED)
    (finding, *_) = analysis.diagnostics
    fix = find_fixes(analysis, finding)[-1]
    after = read(apply(document.text, fix.edits))
    found = Analysis(after, EXTENDED).diagnostics
    values = sorted(after.text[diagnostic.span.start : diagnostic.span.end] for diagnostic in found)
    assert ({diagnostic.code for diagnostic in found}, values) == (
        {Placeholder.about.code},
        ['"/TODO"', '"TODO"', '"unit?"'],
    )
