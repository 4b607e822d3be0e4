"""DATA: rules, message templates and hints, those of section 7 of the specification first.

A rule has a condition and a reason; its code has a message and a hint. Each rule has one example: a wrong and a right
value at a path of the minimal RUI. Tests apply all of them.
"""

from typing import NamedTuple

MAX_BODY_BYTES = 262_144  # maximum size of the body of a request
MAX_DEPTH = 256  # levels of nesting; the root is the first
MAX_ERRORS = 50  # items of `errors[]` over HTTP
MAX_WARNINGS = 50  # items of `warnings[]` over HTTP

WRONG_TYPE = "R7b"
UNKNOWN_PROP = "R7"
UNREGISTERED_TYPE = "R5"
ABSENT_PROP = "R6"
ABSENT_TYPE = "R6"
PLANNED = "R22"
"""Numbers of the rules that do not belong to one declaration."""


class Rule(NamedTuple):
    """One validation rule."""

    number: str  # such as ``R7b``
    code: str
    condition: str  # the condition of section 7.2 under which it is broken
    why: str  # the reason for the rule, in a sentence or two
    at: str  # path of the example in the minimal RUI; ``""`` replaces the whole text
    wrong: str  # JSON text at `at` that breaks this rule and no other
    right: str  # JSON text at `at` that is valid


BLOCK = "pages[0].children[0].children[0]"
SECTION = "pages[0].children[0]"

_PAGE = (
    '{"id": "page-1", "type": "Page", "title": "Orders", "children": [{"id": "section-1", "type": "Section", '
    '"direction": "stack", "children": [{"id": "text-1", "type": "Text", "content": "a"}]}]}'
)
_TEXT = '{"id": "note", "type": "Text", "content": "a"}'
_SECTION = '{"id": "section-1", "type": "Section", "direction": "stack", "children": [' + _TEXT + "]}"
_BINDING = '{"type": "read", "method": "GET", "path": "/orders"}'
_TABLE = '{"id": "orders", "type": "Table", "binding": ' + _BINDING + ', "columns": [{"key": "status"}]}'
_METRIC = (
    '{"id": "open", "type": "Metric", "label": "Open orders", "binding": {"type": "read", "method": "GET", '
    '"path": "/orders/summary", "valuePath": "data.open"}}'
)
_REST = '"navigation": {"items": [{"pageId": "page-1"}]}, "pages": [' + _PAGE + "]"

_RULES = (
    Rule("R0", "INVALID_JSON", "Payload is not valid JSON (also wrong Content-Type, empty body, oversize body).",
         "A text that cannot be parsed cannot be validated. Comments, trailing commas, NaN and a second value are not "
         "JSON, although many parsers accept them.",
         at="", wrong='{"version": "0.1", "meta": {}, ' + _REST + ",}",
         right='{"version": "0.1", "meta": {}, ' + _REST + "}"),
    Rule("R1", "VERSION_MISMATCH", '`version` is not "0.1".',
         "A document is validated by the rules of its version; another version has other rules.",
         at="version", wrong='"1.0"', right='"0.1"'),
    Rule("R2", "MISSING_REQUIRED_PROP", "A top-level key among `version`, `meta`, `navigation`, `pages` is absent.",
         "The four keys form the document. `meta` may be empty, but is required.",
         at="", wrong='{"version": "0.1", ' + _REST + "}", right='{"version": "0.1", "meta": {}, ' + _REST + "}"),
    Rule("R3", "DUPLICATE_ID", "A node id occurs more than once in the RUI.",
         "Links, comparisons and the inspector's anchors refer to a node only by its id.",
         at=SECTION + ".children",
         wrong='[{"id": "note", "type": "Text", "content": "a"}, {"id": "note", "type": "Text", "content": "b"}]',
         right='[{"id": "note", "type": "Text", "content": "a"}, {"id": "note-2", "type": "Text", "content": "b"}]'),
    Rule("R4", "INVALID_ID_FORMAT", "Id does not match `^[a-z][a-z0-9-]*$` with 1 to 64 chars.",
         "Ids are part of URLs and anchors, which do not preserve capitals, spaces and other letters.",
         at=BLOCK + ".id", wrong='"Order_Total"', right='"order-total"'),
    Rule("R5", "UNKNOWN_TYPE", "Node type is not a registered layout or block.",
         "The programs that build an app from the document only know the registered types.",
         at=BLOCK, wrong='{"id": "chart", "type": "Txet", "content": "a"}',
         right='{"id": "chart", "type": "Text", "content": "a"}'),
    Rule("R6", "MISSING_REQUIRED_PROP", "A required prop of the node type is absent.",
         "Without it the node cannot be shown, and its value cannot be guessed.",
         at=BLOCK, wrong='{"id": "note", "type": "Text"}',
         right='{"id": "note", "type": "Text", "content": "Refreshed every five minutes."}'),
    Rule("R7", "UNKNOWN_PROP", "A property not in the registry is present (strict).",
         "It is usually a misspelt property, whose value would be ignored silently.",
         at=BLOCK, wrong=_TEXT.replace("}", ', "colour": "red"}'), right=_TEXT),
    Rule("R7b", "INVALID_PROP_TYPE", "A prop's type or enum value does not match the registry.",
         "A value of another type cannot be shown. `null` is a value; leave the property out instead.",
         at=SECTION + ".direction", wrong='"horizontal"', right='"row"'),
    Rule("R8", "EMPTY_PAGES", "`pages` has fewer than 1 element.",
         "An app needs at least one screen.",
         at="pages", wrong="[]", right=f"[{_PAGE}]"),
    Rule("R9", "EMPTY_NAVIGATION", "`navigation.items` has fewer than 1 element.",
         "Without an entry no page can be reached.",
         at="navigation.items", wrong="[]", right='[{"pageId": "page-1"}]'),
    Rule("R10", "INVALID_NAV_PAGE_ID", "A navigation `pageId` matches no page id.",
         "The entry would not open a page.",
         at="navigation.items", wrong='[{"pageId": "page-1"}, {"pageId": "page-9"}]', right='[{"pageId": "page-1"}]'),
    Rule("R11", "ORPHAN_PAGE", "A page id appears in no navigation item.",
         "A page that no entry opens cannot be reached.",
         at="pages", wrong=f"[{_PAGE}, " + _PAGE.replace("-1", "-2") + "]", right=f"[{_PAGE}]"),
    Rule("R12", "INVALID_PAGE_CHILD", "A Page child is not a Section.",
         "Sections arrange blocks on the screen; a block outside of a section has no position.",
         at="pages[0].children", wrong=f"[{_TEXT}]", right=f"[{_SECTION}]"),
    Rule("R13", "INVALID_SECTION_CHILD", "A Section child is not a block (Metric, Table, Text).",
         "Blocks are the visible content; a section contains only blocks.",
         at=BLOCK, wrong='"Refreshed every five minutes."',
         right='{"id": "note", "type": "Text", "content": "Refreshed every five minutes."}'),
    Rule("R14", "INVALID_NESTING", "A Section is inside a Section.",
         "Two levels are enough to lay out a screen, and every renderer can rely on them.",
         at=BLOCK, wrong=_SECTION.replace("section-1", "inner"), right=_TEXT),
    Rule("R15", "EMPTY_PAGE", "Page has no children.",
         "A page without a section is an empty screen.",
         at="pages[0].children", wrong="[]", right=f"[{_SECTION}]"),
    Rule("R16", "EMPTY_SECTION", "Section has no children.",
         "A section without a block is empty space.",
         at=SECTION + ".children", wrong="[]", right=f"[{_TEXT}]"),
    Rule("R17", "INVALID_COLUMNS", "Table has no columns or a column key repeats within the table.",
         "The filter and the data refer to a column by its key.",
         at=BLOCK, wrong=_TABLE.replace("]", ', {"key": "status"}]'),
         right=_TABLE.replace("]", ', {"key": "number"}]')),
    Rule("R18", "MISSING_BINDING", "Table or Metric lacks `binding`.",
         "These blocks show data; the binding is its only source.",
         at=BLOCK, wrong='{"id": "open", "type": "Metric", "label": "Open orders"}', right=_METRIC),
    Rule("R19", "MISSING_VALUE_PATH", "Metric binding lacks `valuePath`.",
         "A metric shows one value of the response, which is an object; the path selects it.",
         at=BLOCK, wrong=_METRIC.replace(', "valuePath": "data.open"', ""), right=_METRIC),
    Rule("R20", "INVALID_BINDING", "Binding `type` is not `read` or `method` is not `GET`.",
         "Version 0.1 only supports reading.",
         at=BLOCK, wrong=_TABLE.replace("GET", "POST"), right=_TABLE),
    Rule("R21", "INVALID_FILTER_FIELD", "`filter.field` matches no column key.",
         "The filter would not match any column.",
         at=BLOCK, wrong=_TABLE.replace("]", '], "filter": {"field": "state"}'),
         right=_TABLE.replace("]", '], "filter": {"field": "status"}')),
    Rule("R22", "PLANNED_NOT_SUPPORTED", "A planned block or binding type is used.",
         "It belongs to a later version; programs for version 0.1 cannot build it.",
         at=BLOCK, wrong='{"id": "send", "type": "Button", "label": "Send"}',
         right='{"id": "send", "type": "Text", "content": "Orders are sent by the warehouse."}'),
    Rule("R23", "INVALID_VALUE_PATH", "`valuePath` is not valid dot-segments.",
         "Every renderer can follow names joined by dots; JSONPath, brackets and indices are dialects.",
         at=BLOCK, wrong=_TABLE.replace('/orders"', '/orders", "valuePath": "$.items[0]"'),
         right=_TABLE.replace('/orders"', '/orders", "valuePath": "items"')),
    Rule("R24", "INVALID_BINDING", "Binding `path` does not start with `/`.",
         "The path belongs to the app's own API; URLs and relative paths do not.",
         at=BLOCK, wrong=_TABLE.replace("/orders", "api/orders"), right=_TABLE.replace("/orders", "/api/orders")),
)  # fmt: skip

RULES: dict[str, Rule] = {rule.number: rule for rule in _RULES}  # every rule by its number, in order

MESSAGES: dict[str, tuple[str, str]] = {
    "INVALID_JSON": ("Request body must be valid JSON.",
        "Send `application/json` with the spec object as the raw body."),
    "VERSION_MISMATCH": ('RUI version must be "0.1".', 'Set `version` to "0.1".'),
    "DUPLICATE_ID": ('Duplicate node id "{id}".', "Ids unique across the entire spec."),
    "INVALID_ID_FORMAT": ('Invalid id "{id}".', "Lowercase kebab-case, pattern and length as R4."),
    "UNKNOWN_TYPE": ('Unknown node type "{type}".', "Use Page, Section, Metric, Table or Text."),
    "MISSING_REQUIRED_PROP": ('Missing required property "{prop}".',
        "Add the property; top-level keys are `version`, `meta`, `navigation`, `pages`."),
    "INVALID_PROP_TYPE": ('Invalid value for "{prop}".', "Check type and allowed enum values."),
    "UNKNOWN_PROP": ('Unknown property "{prop}".', "Remove extra properties; strict schemas."),
    "EMPTY_PAGES": ("RUI must include at least one page.", "Add a `pages` array with one or more Page nodes."),
    "EMPTY_NAVIGATION": ("Navigation must include at least one item.",
        "Add `navigation.items` linking each page via `pageId`."),
    "INVALID_NAV_PAGE_ID": ('Navigation pageId "{pageId}" does not match any page.',
        "Set `pageId` to an existing `pages[].id`."),
    "ORPHAN_PAGE": ('Page "{id}" is not linked from navigation.', "Add a navigation item with matching `pageId`."),
    "INVALID_PAGE_CHILD": ("Page children must be Section nodes.", "Only Section under Page."),
    "INVALID_SECTION_CHILD": ("Section children must be Metric, Table, or Text.", "Blocks only under Section."),
    "INVALID_NESTING": ("Sections cannot be nested inside sections.", "Use Page > Section > Block only."),
    "EMPTY_PAGE": ("Page must contain at least one section.", "Add a Section to `children`."),
    "EMPTY_SECTION": ("Section must contain at least one block.", "Add Metric, Table or Text."),
    "INVALID_COLUMNS": ("Table must have at least one column with unique keys.",
        "Define `columns[]` with unique `key`."),
    "MISSING_BINDING": ("{blockType} requires a read binding.",
        "Add `binding` with type `read`, method `GET` and a `path`."),
    "MISSING_VALUE_PATH": ("Metric binding requires valuePath.", "Set `valuePath` to the scalar field."),
    "INVALID_BINDING": ("Invalid read binding.", "Type `read`, method `GET`, path starting with `/`."),
    "INVALID_FILTER_FIELD": ('Filter field "{field}" does not match a column key.',
        "Set `filter.field` to an existing column `key`."),
    "PLANNED_NOT_SUPPORTED": ('"{type}" is planned for a future version.',
        "Version 0.1 supports Metric, Table, Text and read (GET) bindings only."),
    "INVALID_VALUE_PATH": ('Invalid valuePath "{valuePath}".', "Dot segments only; no JSONPath or brackets."),
}  # fmt: skip
"""Message template and hint by code, verbatim from section 7.3; after these, our own.

In a message, ``{prop}`` is the key, ``{blockType}`` the name of the shape, and any other placeholder the value that is
found. A hint begins with the text in `HINTS_IN_PLACE` for the rule, else with the one here. The sentences of the
suggestions follow (`rui_common.problems`).
"""

HINTS_IN_PLACE: dict[str, str] = {
    WRONG_TYPE: "Must be {expected}.",
    "R4": "Use {expected}.",
    "R6": "Add the property.",
    UNREGISTERED_TYPE: "Use a registered type.",
    UNKNOWN_PROP: "Only registered properties are allowed.",
}
"""Gist of the hint by rule, where that of its code does not fit every place; ``{expected}`` describes valid values."""
