"""Warnings about differences from an OpenAPI description. `rui_openapi` finds them."""

from rui_common.problems.finding import LintRule

UNKNOWN_PATH = LintRule(
    code="UNKNOWN_PATH",
    condition="The API has no GET operation at the path of a binding.",
    message='The API has no GET operation at "{value}".',
    hint="Use a path of the OpenAPI description.",
    why="The request would fail, and the block would stay empty.",
    wrong='{"type": "read", "method": "GET", "path": "/ordrs"}',
    right='{"type": "read", "method": "GET", "path": "/orders"}',
    needs_api=True,
)

UNKNOWN_VALUE_PATH = LintRule(
    code="UNKNOWN_VALUE_PATH",
    condition="The response has no value at the value path of a binding.",
    message='The response of GET {path} has no "{value}".',
    hint="Use names of the response schema, joined by dots.",
    why="The block would stay empty, although the request succeeds.",
    wrong='{"path": "/orders", "valuePath": "itms"}',
    right='{"path": "/orders", "valuePath": "items"}',
    needs_api=True,
)

NOT_SCALAR = LintRule(
    code="NOT_SCALAR",
    condition="A block that shows one value is bound to an object or a list.",
    message="{subject} is {types}, not a single value.",
    hint="Select a string, number or boolean of the response.",
    why="The block shows one number or text; an object or a list cannot be shown as one.",
    wrong='{"path": "/orders", "valuePath": "items"}',
    right='{"path": "/orders", "valuePath": "total"}',
    needs_api=True,
)

NOT_LIST = LintRule(
    code="NOT_LIST",
    condition="A block that shows rows is bound to a value that is no list.",
    message="{subject} is {types}, not a list.",
    hint="Select a list of the response.",
    why="The block shows one row for each element of a list; any other value has no rows.",
    wrong='{"path": "/orders"}',
    right='{"path": "/orders", "valuePath": "items"}',
    needs_api=True,
)

UNKNOWN_FIELD = LintRule(
    code="UNKNOWN_FIELD",
    condition="The rows of a response have no property with the key of a column.",
    message='The rows of GET {path} have no "{value}".',
    hint="Use the name of a property of the rows.",
    why="The column would stay empty in every row.",
    wrong='{"key": "custmer"}',
    right='{"key": "customer"}',
    needs_api=True,
)

UNKNOWN_OPTION = LintRule(
    code="UNKNOWN_OPTION",
    condition="An option is none of the values that the schema allows.",
    message='In the response of GET {path}, "{field}" is never "{value}".',
    hint="Use a value of the enum in the response schema.",
    why="With this option, the reader would see no rows.",
    wrong='{"value": "opne"}',
    right='{"value": "open"}',
    needs_api=True,
)

WRONG_FORM = LintRule(
    code="WRONG_FORM",
    condition="A value is to be shown as a type that it cannot have by the schema.",
    message='The "{field}" in the response of GET {path} is {types}, which cannot be shown as "{value}".',
    hint="Use a type that fits the schema, or leave it out.",
    why="A text cannot be shown as a number or a date, nor an object as one value.",
    wrong='{"key": "customer", "type": "number"}',
    right='{"key": "customer", "type": "string"}',
    needs_api=True,
)
