"""From documents to a description, and back."""

import json
from pathlib import Path

import pytest
from openapi_spec_validator import validate

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_openapi.derive import derive
from rui_openapi.description.api import read_api
from tests.rui_cli.running import rui
from tests.rui_openapi.shop import SHOP, document, metric, table


def described(*texts: str) -> dict[str, object]:
    """The description of documents, which is valid OpenAPI 3.1."""
    value = json.loads(json.dumps(derive(Analysis(read(text)).tree for text in texts)))
    validate(value)
    return value


def response(*texts: str, path: str = "/a") -> object:
    """The schema of the response of one endpoint."""
    operation = described(*texts)["paths"][path]["get"]
    return operation["responses"]["200"]["content"]["application/json"]["schema"]


ANY = {"type": ["string", "number", "boolean"]}
SCHEMAS = {
    "a value": ([metric("/a", "x.y", format="number")], {"x": {"y": {"type": "number"}}}),
    "columns": (
        [table("/a", "rows", {"key": "n", "type": "number"}, {"key": "d", "type": "date", "label": "Due"}, "p.name")],
        {"rows": [{
            "n": {"type": "number"}, "d": {"type": "string", "format": "date"},
            "p": {"name": ANY},
        }]},
    ),
    "two documents": (
        [table("/a", "rows", "s"), table("/a", "rows", {"key": "s", "type": "badge"}, "t")],
        {"rows": [{"s": {"type": "string"}, "t": ANY}]},
    ),
    "the type that fits all": (
        [metric("/a", "x", format="text"), metric("/a", "x", format="number")],
        {"x": {"type": "number"}},
    ),
    "a date in a badge": (
        [table("/a", None, {"key": "s", "type": "badge"}), table("/a", None, {"key": "s", "type": "date"})],
        [{"s": {"type": "string", "format": "date"}}],
    ),
    "a date and a number": (
        [table("/a", None, {"key": "s", "type": "date"}), table("/a", None, {"key": "s", "type": "number"})],
        [{"s": {"type": "number"}}],
    ),
    "the whole response": ([table("/a", None, "s")], [{"s": ANY}]),
}  # fmt: skip


def expanded(short: object) -> object:
    """A schema from its short form: an object is its properties, a list is that of its element."""
    if isinstance(short, list):
        return {"type": "array", "items": expanded(short[0])}
    assert isinstance(short, dict)
    if isinstance(short.get("type"), str | list):
        return short
    return {
        "type": "object",
        "properties": {name: expanded(inner) for name, inner in short.items()},
        "required": [*short],
    }


@pytest.mark.parametrize(("texts", "short"), SCHEMAS.values(), ids=SCHEMAS)
def test_schemas(texts: list[str], short: object) -> None:
    assert response(*texts) == expanded(short)


def test_a_value_that_is_used_in_several_ways_has_alternatives() -> None:
    assert response(metric("/a", "x"), metric("/a", "x.y"), table("/a", "x")) == {
        "type": "object",
        "required": ["x"],
        "properties": {"x": {"anyOf": [
            {"type": "object", "properties": {"y": {**ANY}}, "required": ["y"]},
            {"type": "array", "items": {"type": "object", "properties": {"id": ANY}, "required": ["id"]}},
            ANY,
        ]}},
    }  # fmt: skip


def test_paths_and_parameters() -> None:
    value = described(
        metric("/orders/{id}/items/:id?open=true&q=a+b", "x"),
        metric("/orders/{order}/items/<item>", "y"),
        metric("/b#c", "x"),
    )
    assert [*value["paths"]] == ["/orders/{id}/items/{id2}", "/b"]
    string = {"type": "string"}
    assert value["paths"]["/orders/{id}/items/{id2}"]["get"]["parameters"] == [
        {"name": "id", "in": "path", "required": True, "schema": string},
        {"name": "id2", "in": "path", "required": True, "schema": string},
        {"name": "open", "in": "query", "schema": string, "example": "true"},
        {"name": "q", "in": "query", "schema": string, "example": "a b"},
    ]


def test_placeholders_are_no_endpoints() -> None:
    assert described(document({"id": "a", "type": "Text", "content": "x"}), "[]", "{")["paths"] == {}
    value = described(metric("/TODO", "a"), metric("/orders", "TODO"))
    assert [*value["paths"]] == ["/orders"]
    assert value["paths"]["/orders"]["get"]["responses"]["200"]["content"]["application/json"] == {"schema": {}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a document and a description."""
    (tmp_path / "a.rui.json").write_text(table("/orders", "items", "id", "status"))
    (tmp_path / "openapi.yaml").write_text(SHOP)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_writes_a_description(folder: Path) -> None:
    ran = rui("openapi", "a.rui.json", "--title", "Größe")
    assert (ran.code, ran.err) == (0, "")
    value = json.loads(ran.out)
    assert value["info"] == {"title": "Größe", "version": "0.1.0"}
    assert ran.out == json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    assert rui("openapi", ".", "--title", "Größe") == ran
    for name in ("new.json", "new.json", "new.yaml", "new.YML", "new"):
        assert rui("openapi", "-o", name) == (0, "", "")
    assert read_api("new.json").operations.keys() == {"/orders"}
    assert rui("check", "--strict-api", "--openapi", "new.json").code == 0


def test_errors_of_the_command(folder: Path) -> None:
    folder_is_missing = "rui openapi: cannot write none/x.json: there is no folder none\n"
    assert rui("openapi", "-o", "none/x.json") == (2, "", folder_is_missing)
    suffixes = "no format has the suffix .png: use one of .json, .yaml, .yml; see rui openapi --help"
    assert rui("openapi", "-o", "x.png") == (2, "", f"rui openapi: {suffixes}\n")
    assert not (folder / "x.png").exists()
    assert rui("openapi", "a.rui.json", "none").code == 2, "a part of the documents is no description"
    assert rui("openapi", "none") == (2, "", "rui openapi: cannot read none: no such file or directory\n")


@pytest.mark.parametrize(("text", "why"), [
    ("", "1:1: Expected a JSON value"), ('{"pages": [', "1:12: 2 objects and arrays are never closed"),
    ("null", "1:1: The root of a RUI is an object"), ("[]", "1:1: The root of a RUI is an object"),
    ("version: 0.1\npages:\n  - id: a\n", "1:1: This text is not JSON"), ("<<<<<<< a\n{}\n", "1:1: "),
    (b"\x1f\x8b\x08\x00", "1:1: This is binary data"), (b'{"meta": "\xff"}', "1:11: The byte 0xFF is not UTF-8"),
])  # fmt: skip
def test_a_document_that_is_not_json_is_named(text: str | bytes, why: str, folder: Path) -> None:
    """A part of its endpoints may be lost."""
    (folder / "b.rui.json").write_bytes(text.encode() if isinstance(text, str) else text)
    ran = rui("openapi", "-o", "new.json")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"rui openapi: b.rui.json:{why}")
    assert not (folder / "new.json").exists()
