"""The catalogue equals section 7 of the specification, and all of its examples are correct."""

import pytest

from rui_common.describe.examples import minimal_example, with_value
from rui_common.syntax.document import read
from rui_common.validation.validator import validate
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_DEPTH, MAX_ERRORS, MESSAGES, RULES, Rule

# An independent copy of the tables of the specification. A change of the catalogue must also change this copy.

SECTION_7_2 = """
| R0 | `INVALID_JSON` | Payload is not valid JSON (also wrong Content-Type, empty body, oversize body). |
| R1 | `VERSION_MISMATCH` | `version` is not `"0.1"`. |
| R2 | `MISSING_REQUIRED_PROP` | A top-level key among `version`, `meta`, `navigation`, `pages` is absent. |
| R3 | `DUPLICATE_ID` | A node id occurs more than once in the RUI. |
| R4 | `INVALID_ID_FORMAT` | Id does not match `^[a-z][a-z0-9-]*$` with 1 to 64 chars. |
| R5 | `UNKNOWN_TYPE` | Node type is not a registered layout or block. |
| R6 | `MISSING_REQUIRED_PROP` | A required prop of the node type is absent. |
| R7 | `UNKNOWN_PROP` | A property not in the registry is present (strict). |
| R7b | `INVALID_PROP_TYPE` | A prop's type or enum value does not match the registry. |
| R8 | `EMPTY_PAGES` | `pages` has fewer than 1 element. |
| R9 | `EMPTY_NAVIGATION` | `navigation.items` has fewer than 1 element. |
| R10 | `INVALID_NAV_PAGE_ID` | A navigation `pageId` matches no page id. |
| R11 | `ORPHAN_PAGE` | A page id appears in no navigation item. |
| R12 | `INVALID_PAGE_CHILD` | A Page child is not a Section. |
| R13 | `INVALID_SECTION_CHILD` | A Section child is not a block (Metric, Table, Text). |
| R14 | `INVALID_NESTING` | A Section is inside a Section. |
| R15 | `EMPTY_PAGE` | Page has no children. |
| R16 | `EMPTY_SECTION` | Section has no children. |
| R17 | `INVALID_COLUMNS` | Table has no columns or a column key repeats within the table. |
| R18 | `MISSING_BINDING` | Table or Metric lacks `binding`. |
| R19 | `MISSING_VALUE_PATH` | Metric binding lacks `valuePath`. |
| R20 | `INVALID_BINDING` | Binding `type` is not `read` or `method` is not `GET`. |
| R21 | `INVALID_FILTER_FIELD` | `filter.field` matches no column key. |
| R22 | `PLANNED_NOT_SUPPORTED` | A planned block or binding type is used. |
| R23 | `INVALID_VALUE_PATH` | `valuePath` is not valid dot-segments. |
| R24 | `INVALID_BINDING` | Binding `path` does not start with `/`. |
"""

SECTION_7_3 = """
| `INVALID_JSON` | Request body must be valid JSON. | Send `application/json` with the spec object as the raw body. |
| `VERSION_MISMATCH` | RUI version must be "0.1". | Set `version` to "0.1". |
| `DUPLICATE_ID` | Duplicate node id "{id}". | Ids unique across the entire spec. |
| `INVALID_ID_FORMAT` | Invalid id "{id}". | Lowercase kebab-case, pattern and length as R4. |
| `UNKNOWN_TYPE` | Unknown node type "{type}". | Use Page, Section, Metric, Table or Text. |
| `MISSING_REQUIRED_PROP` | Missing required property "{prop}". | \
Add the property; top-level keys are `version`, `meta`, `navigation`, `pages`. |
| `INVALID_PROP_TYPE` | Invalid value for "{prop}". | Check type and allowed enum values. |
| `UNKNOWN_PROP` | Unknown property "{prop}". | Remove extra properties; strict schemas. |
| `EMPTY_PAGES` | RUI must include at least one page. | Add a `pages` array with one or more Page nodes. |
| `EMPTY_NAVIGATION` | Navigation must include at least one item. | \
Add `navigation.items` linking each page via `pageId`. |
| `INVALID_NAV_PAGE_ID` | Navigation pageId "{pageId}" does not match any page. | \
Set `pageId` to an existing `pages[].id`. |
| `ORPHAN_PAGE` | Page "{id}" is not linked from navigation. | Add a navigation item with matching `pageId`. |
| `INVALID_PAGE_CHILD` | Page children must be Section nodes. | Only Section under Page. |
| `INVALID_SECTION_CHILD` | Section children must be Metric, Table, or Text. | Blocks only under Section. |
| `INVALID_NESTING` | Sections cannot be nested inside sections. | Use Page > Section > Block only. |
| `EMPTY_PAGE` | Page must contain at least one section. | Add a Section to `children`. |
| `EMPTY_SECTION` | Section must contain at least one block. | Add Metric, Table or Text. |
| `INVALID_COLUMNS` | Table must have at least one column with unique keys. | Define `columns[]` with unique `key`. |
| `MISSING_BINDING` | {blockType} requires a read binding. | \
Add `binding` with type `read`, method `GET` and a `path`. |
| `MISSING_VALUE_PATH` | Metric binding requires valuePath. | Set `valuePath` to the scalar field. |
| `INVALID_BINDING` | Invalid read binding. | Type `read`, method `GET`, path starting with `/`. |
| `INVALID_FILTER_FIELD` | Filter field "{field}" does not match a column key. | \
Set `filter.field` to an existing column `key`. |
| `PLANNED_NOT_SUPPORTED` | "{type}" is planned for a future version. | \
Version 0.1 supports Metric, Table, Text and read (GET) bindings only. |
| `INVALID_VALUE_PATH` | Invalid valuePath "{valuePath}". | Dot segments only; no JSONPath or brackets. |
"""


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.strip().splitlines()]


def plain(text: str) -> str:
    """Return the text without backquotes."""
    return text.replace("`", "")


def check(text: str) -> list[str]:
    """Return the numbers of the rules that a text breaks."""
    document = read(text)
    if not document.valid or not isinstance(document.value, dict):
        return ["R0"]
    return [finding.rule for finding in validate(document.value)]


def test_rules_are_those_of_section_7_2() -> None:
    said = [[rule.number, f"`{rule.code}`", plain(rule.condition)] for rule in RULES.values()]
    assert said == [[number, code, plain(condition)] for number, code, condition in rows(SECTION_7_2)]


def test_messages_are_word_for_word_those_of_section_7_3() -> None:
    said = [[f"`{code}`", message, hint] for code, (message, hint) in MESSAGES.items()]
    assert said == rows(SECTION_7_3)


def test_every_code_has_a_rule_and_a_message_with_one_placeholder_at_most() -> None:
    assert {rule.code for rule in RULES.values()} == MESSAGES.keys()
    assert [code for code, (message, _) in MESSAGES.items() if message.count("{") > 1] == []


def test_limits_are_those_of_section_8_and_the_decisions() -> None:
    assert (MAX_BODY_BYTES, MAX_DEPTH, MAX_ERRORS) == (262_144, 256, 50)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_the_examples_of_a_rule(rule: Rule) -> None:
    assert check(with_value(minimal_example(), rule.at, rule.wrong)) == [rule.number]
    assert check(with_value(minimal_example(), rule.at, rule.right)) == []
    assert rule.why.endswith(".")
