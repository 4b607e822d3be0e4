"""DATA: rules R0 to R24, message templates and hints (section 7 of the specification).

A rule has a condition and a reason; its code has a message and a hint. Each rule has one example: a wrong and a right
value at a path of the minimal RUI. Tests apply all of them.
"""

from typing import NamedTuple

MAX_BODY_BYTES = 262_144  # of a request
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
"""Message template and hint by code, verbatim from section 7.3."""

HINTS_IN_PLACE: dict[str, str] = {
    WRONG_TYPE: "Must be {expected}.",
    "R4": "Use {expected}.",
    "R6": "Add the property.",
    UNREGISTERED_TYPE: "Use a registered type.",
    UNKNOWN_PROP: "Only registered properties are allowed.",
}
"""Gist of the hint by rule, where that of its code does not fit every place; ``{expected}`` describes valid values."""

DUPLICATE_KEY = "DUPLICATE_KEY"
PLACEHOLDER = "PLACEHOLDER"
TEMPLATE = "TEMPLATE"
LOST_CHARACTER = "LOST_CHARACTER"
FRAGMENT = "FRAGMENT"
REPEATED_LINK = "REPEATED_LINK"
NOT_SHOWN = "NOT_SHOWN"
PART_OF_TEXT = "PART_OF_TEXT"
UNKNOWN_VALUE = "UNKNOWN_VALUE"
UNUSED_VALUE = "UNUSED_VALUE"
EMPTY_LIST = "EMPTY_LIST"
NO_OPTION_VALUE = "NO_OPTION_VALUE"
REPEATED_OPTION = "REPEATED_OPTION"
UNFILLED_PATH = "UNFILLED_PATH"
HOST_IN_PATH = "HOST_IN_PATH"
PATH_CHARACTER = "PATH_CHARACTER"
KEY_PATH = "KEY_PATH"
TOO_LARGE = "TOO_LARGE"
UNKNOWN_PATH = "UNKNOWN_PATH"
UNKNOWN_VALUE_PATH = "UNKNOWN_VALUE_PATH"
NOT_SCALAR = "NOT_SCALAR"
NOT_LIST = "NOT_LIST"
UNKNOWN_FIELD = "UNKNOWN_FIELD"
UNKNOWN_OPTION = "UNKNOWN_OPTION"
WRONG_FORM = "WRONG_FORM"


class OwnWarning(NamedTuple):
    """A warning, which leaves a document valid. HTTP responses have it on request (docs/decisions.md, section 3)."""

    code: str
    condition: str  # the condition under which it is reported
    message: str  # the template of the message
    hint: str  # how to fix it
    why: str  # the reason for the warning, in a sentence or two
    wrong: str = ""  # an example as JSON text, or ``""``
    right: str = ""  # the fixed example
    # whether it is reported only if there is an OpenAPI description (docs/decisions.md, section 10)
    needs_api: bool = False

    @property
    def is_in_answers(self) -> bool:
        """Whether an answer over HTTP may have it. A service has no description of an API, and refuses long bodies."""
        return not self.needs_api and self.code != TOO_LARGE


_WARNINGS = (
    OwnWarning(DUPLICATE_KEY, "Property is repeated below; only the last one counts.",
             'Property "{prop}" is repeated below; only the last one counts.',
             "Remove this one, or give it another name.",
             "JSON allows a property twice in one object, and parsers treat that differently. Here the last one "
             "counts, so the earlier one is ignored silently.",
             wrong='{"title": "Orders", "title": "Order desk"}', right='{"title": "Order desk"}'),
    OwnWarning(PLACEHOLDER, "A property has the placeholder of a fix, or a text that is copied from a signature.",
             '"{prop}" is still a placeholder.',
             "Replace it with the actual value.",
             "Only the author knows where data comes from. A fix that adds a binding inserts `/TODO` and `TODO`, which "
             "are valid, but the request would fail. A second column gets the key `TODO-2`. The signatures show `/…` "
             "and `a.b` in place of a path and a value path."),
    OwnWarning(TEMPLATE, "A path, a key, a label or a static text contains a template of another system.",
             '"{value}" is not replaced by a value.',
             "Write it without the template; a value of the response needs a block of its own.",
             "RUI has no templates: `{{ name }}`, `${name}`, `{% if %}` and `$name` would be requested, or shown, as "
             "they are."),
    OwnWarning(LOST_CHARACTER, "A path, a key, a label, an option or a static text has lost a character.",
             '"{value}" has lost a character.',
             "Write the character that belongs in place of U+FFFD.",
             "A program that reads a file in another encoding than its own writes U+FFFD in place of what it cannot "
             "read. Open the file in its own encoding, such as Windows-1252, and save it as UTF-8.",
             wrong='{"meta": {"title": "Caf\ufffd"}}', right='{"meta": {"title": "Caf\u00e9"}}'),
    OwnWarning(FRAGMENT, "The path of a request has a fragment.",
             '"{value}" is not part of a request.',
             "Remove it; `valuePath` selects a part of the response.",
             "A client never sends the part of an address after `#`."),
    OwnWarning(REPEATED_LINK, "Two navigation items open the same page.",
             'Another navigation item opens "{value}", too.',
             "Remove one of them, or set the `pageId` of another page.",
             "It is usually a copy whose page was not changed. It is valid, as a menu may list a page twice.",
             wrong='{"navigation": {"items": [{"pageId": "home"}, {"pageId": "home"}]}}',
             right='{"navigation": {"items": [{"pageId": "home"}, {"pageId": "orders"}]}}'),
    OwnWarning(NOT_SHOWN, "A further property is another word for a suggested one, or a misspelling of it.",
             '"{value}" is not shown; did you mean "{meant}"?',
             "Rename it. Properties of other names are allowed, and no page shows them.",
             "Columns, filters, options, navigation items and `meta` may have any further property, so that a label "
             "under another name is valid, and is lost. Names of your own, such as `x-width`, are no warning.",
             wrong='{"navigation": {"items": [{"pageId": "home", "title": "Home"}]}}',
             right='{"navigation": {"items": [{"pageId": "home", "label": "Home"}]}}'),
    OwnWarning(PART_OF_TEXT, "A further property holds what a text of the object can say, such as a unit.",
             '"{value}" is not shown; "{meant}" can contain it.',
             "Write it into that text, such as `Weight (kg)`. Properties of other names are allowed, and no page shows "
             "them.",
             "Columns may have any further property, so that a unit or a prefix is valid, and no reader sees it.",
             wrong='{"key": "weight", "label": "Weight", "unit": "kg"}',
             right='{"key": "weight", "label": "Weight (kg)"}'),
    OwnWarning(UNKNOWN_VALUE, "A suggested property has a value that no page knows.",
             'No page knows "{value}" as "{prop}".',
             "Use a value of the vocabulary.",
             "Columns may have any `type`. A page shows those of the vocabulary, and any other as plain text.",
             wrong='{"key": "total", "type": "integer"}', right='{"key": "total", "type": "number"}'),
    OwnWarning(UNUSED_VALUE,
             "A suggested property, or an element of its list, is of another type than the vocabulary describes.",
             'No page uses this value of "{prop}".',
             "Write it as the vocabulary describes it.",
             "Suggested properties may have any value. A page uses those of the described type alone.",
             wrong='{"meta": {"title": 3}}', right='{"meta": {"title": "3"}}'),
    OwnWarning(EMPTY_LIST, "The list of a suggested property is empty.",
             '"{prop}" is empty.',
             "Add an element, or leave the property out.",
             "A filter without `options` is a free search; one with an empty list has nothing to choose from.",
             wrong='{"field": "status", "options": []}', right='{"field": "status"}'),
    OwnWarning(NO_OPTION_VALUE, "An option of a filter has no value.",
             'The option has no "{prop}".',
             "Add the value of the column that it keeps.",
             "An option keeps the rows with its value. Without one, it keeps none.",
             wrong='{"label": "Open"}', right='{"value": "open", "label": "Open"}'),
    OwnWarning(REPEATED_OPTION, "Two options of a filter have the same value.",
             'Another option has the value "{value}", too.',
             "Remove one of them, or set another value.",
             "It is usually a copy whose value was not changed: both keep the same rows.",
             wrong='{"options": [{"value": "open"}, {"value": "open"}]}',
             right='{"options": [{"value": "open"}, {"value": "closed"}]}'),
    OwnWarning(UNFILLED_PATH, "A path contains a part that other systems replace by a value.",
             'A path is sent as it is: "{value}" is not filled in.',
             "Use a path without it, such as that of the list, or write the value.",
             "RUI has no parameters: `/orders/{id}`, `/orders/:id` and `/orders/<id>` would be requested as they are, "
             "whether or not an OpenAPI description has this path.",
             wrong='{"path": "/orders/{id}"}', right='{"path": "/orders"}'),
    OwnWarning(HOST_IN_PATH, "A path begins with a host.",
             'The path begins with a host: "{value}".',
             "Remove it: the path belongs to the app's own API, and begins after the host.",
             "A client reads what follows `//` as the name of another host, or requests it as a part of the path.",
             wrong='{"path": "//api.example.com/orders"}', right='{"path": "/orders"}'),
    OwnWarning(PATH_CHARACTER, "A path contains a character that a URL does not.",
             "A URL does not contain {value}.",
             "Write it percent-encoded, such as %20 for a space.",
             "Clients treat such a character differently: some encode it, some refuse the request, some cut the path.",
             wrong='{"path": "/open orders"}', right='{"path": "/open%20orders"}'),
    OwnWarning(KEY_PATH, "The key of a column is empty, has space around it, or is a path.",
             'A key is the name of one property of a row, not "{value}".',
             "Write the name alone: the block shows properties of the row itself.",
             "A row is an element of the list that `valuePath` selects, and a column shows the property that its key "
             "names. What is deeper in the row is not found.",
             wrong='{"key": "$.status"}', right='{"key": "status"}'),
    OwnWarning(TOO_LARGE, "The document has more bytes than a service accepts.",
             "The document has {bytes} bytes; a service accepts {limit} at most.",
             "Describe less in one document. If line breaks and indentation alone are too many, `rui publish` leaves "
             "them out.",
             "The length does not make a document invalid, but a service accepts no longer requests, so that the "
             "document cannot be stored."),
    OwnWarning(UNKNOWN_PATH, "The API has no GET operation at the path of a binding.",
             'The API has no GET operation at "{value}".',
             "Use a path of the OpenAPI description.",
             "The request would fail, and the block would stay empty.",
             wrong='{"type": "read", "method": "GET", "path": "/ordrs"}',
             right='{"type": "read", "method": "GET", "path": "/orders"}', needs_api=True),
    OwnWarning(UNKNOWN_VALUE_PATH, "The response has no value at the value path of a binding.",
             'The response of GET {path} has no "{value}".',
             "Use names of the response schema, joined by dots.",
             "The block would stay empty, although the request succeeds.",
             wrong='{"path": "/orders", "valuePath": "itms"}', right='{"path": "/orders", "valuePath": "items"}',
             needs_api=True),
    OwnWarning(NOT_SCALAR, "A block that shows one value is bound to an object or a list.",
             '{subject} is {types}, not a single value.',
             "Select a string, number or boolean of the response.",
             "The block shows one number or text; an object or a list cannot be shown as one.",
             wrong='{"path": "/orders", "valuePath": "items"}', right='{"path": "/orders", "valuePath": "total"}',
             needs_api=True),
    OwnWarning(NOT_LIST, "A block that shows rows is bound to a value that is no list.",
             '{subject} is {types}, not a list.',
             "Select a list of the response.",
             "The block shows one row for each element of a list; any other value has no rows.",
             wrong='{"path": "/orders"}', right='{"path": "/orders", "valuePath": "items"}', needs_api=True),
    OwnWarning(UNKNOWN_FIELD, "The rows of a response have no property with the key of a column.",
             'The rows of GET {path} have no "{value}".',
             "Use the name of a property of the rows.",
             "The column would stay empty in every row.",
             wrong='{"key": "custmer"}', right='{"key": "customer"}', needs_api=True),
    OwnWarning(UNKNOWN_OPTION, "An option is none of the values that the schema allows.",
             'In the response of GET {path}, "{field}" is never "{value}".',
             "Use a value of the enum in the response schema.",
             "With this option, the reader would see no rows.",
             wrong='{"value": "opne"}', right='{"value": "open"}', needs_api=True),
    OwnWarning(WRONG_FORM, "A value is to be shown as a type that it cannot have by the schema.",
             'The "{field}" in the response of GET {path} is {types}, which cannot be shown as "{value}".',
             "Use a type that fits the schema, or leave it out.",
             "A text cannot be shown as a number or a date, nor an object as one value.",
             wrong='{"key": "customer", "type": "number"}', right='{"key": "customer", "type": "string"}',
             needs_api=True),
)  # fmt: skip

WARNINGS = {warning.code: warning for warning in _WARNINGS}  # our own warnings by code
