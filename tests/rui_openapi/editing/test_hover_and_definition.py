"""Hover and definition in requests: what a description states of the text at the mark, and where it does."""

import json
from pathlib import Path

import pytest

from rui_common.syntax.document import read
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.paths import Path as DocumentPath
from rui_common.validation.analysis import Analysis
from rui_openapi.description.api import Api
from rui_openapi.editing.definition import definition_of, target_at
from rui_openapi.editing.hover import MAX_SHOWN, api_hover
from tests.rui_openapi.shop import CURSOR, api_of, document, metric, table


def operation(schema: object, **others: object) -> dict[str, object]:
    """A path with a GET operation."""
    return {"get": {**others, "responses": {"200": {"content": {"application/json": {"schema": schema}}}}}}


VALUES = {f"v{number}": {"enum": [f"e{index}" for index in range(number)]} for number in (MAX_SHOWN, MAX_SHOWN + 1)}
ROW: dict[str, object] = {
    "properties": {"id": {"type": "integer", "description": "The number."}, "a.b": {"type": "string"}}
}
PAGE = {
    "type": "object",
    "properties": {
        "rows": {"type": "array", "items": {"allOf": [{"type": "object"}, {"$ref": "#/x-row"}]}},
        "at": {"type": "string", "format": "date-time"},
        "names": {"type": "array", "items": {"type": "string"}},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}]},
        "list": {"type": "array"}, "any": {}, "yes": True,
        "no_list": {"type": "object", "items": {"type": "string"}},
        "in": {"type": "object", "properties": {"open": {"type": "number"}}},
        "days": {"type": "object", "additionalProperties": {"type": "number"}},
        "a*b": {"type": "object", "properties": {"c`d": {"type": "string"}}},
    },
}  # fmt: skip
DESCRIPTION = {
    "openapi": "3.1.0",
    "x-first": True,
    "paths": {
        "/page": operation({"$ref": "#/x-page"}, summary="One_page", description="Newest  first."),
        "/list": operation({"type": "array", "items": {"$ref": "#/x-row"}}),
        "/values": operation({"type": "object", "properties": VALUES}),
        "/referred": {"$ref": "#/x-path"},
    },
    "x-path": operation({"type": "string"}),
    "x-page": PAGE,
    "x-row": ROW,
}


def at_mark(text: str) -> tuple[Analysis, DocumentPath]:
    found = read(text.replace(CURSOR, ""))
    return Analysis(found), found.path_at(text.index(CURSOR))


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Api:
    return api_of(json.dumps(DESCRIPTION), tmp_path_factory.mktemp("api"), "openapi.json")


NAMES = "`rows`, `at`, `names`, `pair`, `list`, `any`, `yes`, `no_list`, `in`, `days`, `a*b`"
SHOWN = ", ".join(f"`e{index}`" for index in range(MAX_SHOWN))
WITHOUT_TARGET = {
    "an unknown path": metric(f"/pa{CURSOR}ges", "at"),
    "another property of the block": metric("/page", "at").replace("Label", f"La{CURSOR}bel"),
    "a title like a field": table("/page", "rows", "id", title=f"i{CURSOR}d"),
    "another property of the request": metric("/page", "at").replace('"read"', f'"re{CURSOR}ad"'),
    "a block without a request": document({"id": "a", "type": "Text", "content": f"/pa{CURSOR}ge"}),
    "a value path that does not exist": metric("/page", f"o{CURSOR}ut"),
    "a value path of which no name exists": metric("/page", f"no.o{CURSOR}ut"),
    "an inner value path that does not exist": metric("/page", f"in.open.o{CURSOR}ut"),
    "a field that does not exist": table("/page", "rows", f"na{CURSOR}me"),
    "a field of a value path that does not exist": table("/page", "out", f"i{CURSOR}d"),
    "a field that is no text": table("/page", "rows", {"key": 7}).replace("7", f"{CURSOR}7"),
    "a list of fields": table("/page", "rows", "id").replace('"columns": [', f'"columns": {CURSOR}['),
}  # fmt: skip
HOVERS = {
    "an operation": (
        table(f"/pa{CURSOR}ge", "rows"),
        f"**GET /page**: One\\_page\n\nNewest  first.\n\nResponse: an object with {NAMES}",
    ),
    "without a summary": (
        table(f"/li{CURSOR}st", None), "**GET /list**\n\nResponse: a list; each element is an object with `id`, `a.b`",
    ),
    "a list of objects": (
        table("/page", f"ro{CURSOR}ws"), "**rows**: a list; each element is an object with `id`, `a.b`",
    ),
    "a list of texts": (metric("/page", f"na{CURSOR}mes"), "**names**: a list; each element is a string"),
    "a list of anything": (table("/page", f"li{CURSOR}st"), "**list**: a list"),
    "items of no list": (metric("/page", f"no_l{CURSOR}ist"), "**no\\_list**: an object"),
    "any value": (metric("/page", f"an{CURSOR}y"), "**any**: any value"),
    "a format": (metric("/page", f"a{CURSOR}t"), "**at**: a string (date-time)"),
    "an inner value": (metric("/page", f"in.op{CURSOR}en"), "**in.open**: a number"),
    "Markdown": (metric("/page", f"a*{CURSOR}b"), "**a\\*b**: an object with `c'd`"),
    "a field with a description": (table("/page", "rows", f"i{CURSOR}d"), "**id**: a number\n\nThe number."),
    "as many values as are shown": (
        metric("/values", f"v{CURSOR}{MAX_SHOWN}"), f"**v{MAX_SHOWN}**: a string: {SHOWN}",
    ),
    "more values than are shown": (
        metric("/values", f"v{CURSOR}{MAX_SHOWN + 1}"), f"**v{MAX_SHOWN + 1}**: a string: {SHOWN} and 1 more",
    ),
    **{name: (text, None) for name, text in WITHOUT_TARGET.items()},
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), HOVERS.values(), ids=HOVERS)
def test_hover(text: str, expected: str | None, api: Api) -> None:
    assert api_hover(*at_mark(text), api) == expected


# Document → the text from the definition on; the range is that of the key or the element.
DEFINITIONS = {
    "an operation": (table(f"/pa{CURSOR}ge", "rows"), '"get": {"summary": "One_page"'),
    "a path with a reference": (metric(f"/refe{CURSOR}rred", "x"), '"/referred": {"$ref"'),
    "a value": (metric("/page", f"a{CURSOR}t"), '"at": {"type": "string", "format"'),
    "an inner value": (metric("/page", f"in.op{CURSOR}en"), '"open": {"type": "number"}'),
    "an element": (metric("/page", f"names{CURSOR}.0"), '"items": {"type": "string"}}, "pair"'),
    "an element with a place of its own": (metric("/page", f"pair{CURSOR}.0"), '{"type": "string"}]}, "list"'),
    "any other name": (metric("/page", f"days{CURSOR}.monday"), '"additionalProperties": {"type": "number"}'),
    "a field": (table("/page", "rows", f"i{CURSOR}d"), '"id": {"type": "integer"'),
    "a field of the response": (table("/list", None, f"i{CURSOR}d"), '"id": {"type": "integer"'),
    "a field with a dot": (table("/page", "rows", f"a.{CURSOR}b"), '"a.b": {"type": "string"}'),
    "a field beside a value path that does not exist": (table("/list", "out", f"i{CURSOR}d"), '"id": {"type"'),
    "a schema that is no object": (metric("/page", f"ye{CURSOR}s"), None),
    **{name: (text, None) for name, text in WITHOUT_TARGET.items()},
}  # fmt: skip


@pytest.mark.parametrize("name", ["openapi.json", "openapi.yaml"])
@pytest.mark.parametrize(("text", "expected"), DEFINITIONS.values(), ids=DEFINITIONS)
def test_definition(text: str, expected: str | None, name: str, tmp_path: Path) -> None:
    content = json.dumps(DESCRIPTION)
    api = api_of(content, tmp_path, name)
    target = target_at(*at_mark(text))
    found = None if target is None else definition_of(api, target, "utf-16")
    if expected is None:
        assert found is None
        return
    assert found is not None and found.path == str(tmp_path / name)
    lines = LineIndex(content)
    start, end = lines.offset(*found.start), lines.offset(*found.end)
    assert content[start:].startswith(expected)
    assert json.loads(content[start:end]) in ({"type": "string"}, expected.split('"')[1])
    for changed in ("{}", "{", "[]"):
        (tmp_path / name).write_text(changed)
        assert definition_of(api, target, "utf-16") is None, "it is no longer there"
