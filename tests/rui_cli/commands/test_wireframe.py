"""`rui wireframe`: files that show a document without another file, valid or not."""

import html
import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rui_cli import api_checks
from rui_common.describe import full_example
from rui_inspector.html.wireframe_svg import WIDTH
from tests.rui_cli.running import rui
from tests.rui_inspector.pages import HOSTILE, with_text_everywhere
from tests.rui_openapi.shop import SHOP, metric, table
from tests.support.examples import BROKEN, DESK

SVG = "{http://www.w3.org/2000/svg}"
SVG_TAGS = {f"{SVG}{tag}" for tag in ("svg", "style", "rect", "text")}
PLAIN_TAGS = {
    "b", "bdi", "body", "code", "div", "h1", "h2", "h3", "header", "i", "li", "main", "p", "section", "span", "strong",
    "ul", "a", "wbr",
}  # fmt: skip


def texts_of(document: dict[str, object]) -> list[str]:
    """Return the texts of the image of a document, whose elements are checked."""
    root = ElementTree.fromstring(rui("wireframe", "-", "--format", "svg", stdin=json.dumps(document)).out)
    assert {element.tag for element in root.iter()} <= SVG_TAGS
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("x", "0")) + float(rect.get("width", "0")) <= WIDTH
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_the_format_is_that_of_the_name(tmp_path: Path) -> None:
    html = rui("wireframe", "-", stdin=json.dumps(DESK)).out
    svg = rui("wireframe", "-", "--format=svg", stdin=json.dumps(DESK)).out
    assert svg.startswith("<svg")
    for name, expected in {"desk.svg": svg, "desk.html": html, "desk": html}.items():
        assert rui("wireframe", "-", "-o", tmp_path / name, stdin=json.dumps(DESK)) == (0, "", "")
        assert (tmp_path / name).read_text() == expected
    assert rui("wireframe", "-", "-o", tmp_path / "desk.svg", "--format", "html", stdin=json.dumps(DESK)).code == 0
    assert (tmp_path / "desk.svg").read_text() == html


def test_the_page_loads_no_other_file() -> None:
    html = rui("wireframe", "-", stdin=json.dumps(DESK)).out
    text = html.replace("<wbr>", "")
    assert all(word in text for word in ("Order desk", "2 pages", "/api/stock/low", "data.open", "###"))
    assert "default-src &#39;none&#39;" in html
    assert not any(word in html for word in ("<script", "src=", "<link", "@import", "url("))


def test_the_image_shows_pages_blocks_and_endpoints() -> None:
    texts = " ".join(texts_of(DESK))
    for word in ("Order desk", "[ Today ]", "At a glance", "###", "Abc", "Status ▾", "GET /api/orders → data.items"):
        assert word in texts


@pytest.mark.parametrize("name", ["html", "svg"])
@pytest.mark.parametrize("text", ["", "[1]", '{"pages": [{"type": "Page", "children": [{"type": "Metric"', "\x00"])
def test_any_text_is_drawn(text: str, name: str) -> None:
    ran = rui("wireframe", "-", "--format", name, stdin=text)
    assert ran.code == 0
    assert "missing" in ran.out or "no object" in ran.out


@pytest.mark.parametrize(
    "document",
    [full_example(), *BROKEN, *map(with_text_everywhere, HOSTILE)],
    ids=lambda example: ascii(json.dumps(example))[:60],
)
def test_any_document_is_an_image(document: dict[str, object]) -> None:
    texts_of(document)


def test_a_folder_gets_a_file_for_each_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "apps" / "desk").mkdir(parents=True)
    (tmp_path / "apps" / "a.rui.json").write_text(json.dumps(DESK))
    (tmp_path / "apps" / "desk" / "b.rui.json").write_text("{")
    assert rui("wireframe", "apps", "--format", "svg", "-o", "drawn/") == (0, "", "")
    assert sorted(path.name for path in (tmp_path / "drawn").iterdir()) == ["apps-a.svg", "apps-desk-b.svg"]
    assert "Order desk" in (tmp_path / "drawn" / "apps-a.svg").read_text()
    (tmp_path / "drawn" / "apps-a.svg").unlink()
    two = ("apps/a.rui.json", "apps/desk/b.rui.json")
    assert rui("wireframe", *two, "--format", "svg", "-o", "drawn") == (0, "", ""), "it is a folder by now"
    assert "Order desk" in (tmp_path / "drawn" / "apps-a.svg").read_text()
    assert "Order desk" in rui("wireframe", "apps/a*.json").out
    for several in ("apps", "apps/**/*.rui.json"):
        ran = rui("wireframe", several)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == "rui wireframe: name one document, or a folder after -o; see rui wireframe --help\n"


def test_no_file_outside_of_the_folder_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.rui.json").write_text(json.dumps(DESK))
    (tmp_path / "drawn").mkdir()
    (tmp_path / "drawn" / "a.svg").symlink_to(tmp_path / "mine.svg")
    error = "cannot write drawn/a.svg: it leads out of the folder"
    ran = rui("wireframe", "a.rui.json", "--format", "svg", "-o", "drawn/")
    assert ran == (2, "", f"rui wireframe: {error}\n")
    assert not (tmp_path / "mine.svg").exists()


@pytest.mark.parametrize("names", [("a/b", "a-b"), ("b", "../b"), ("b", "b.rui.json"), ("a/b/c", "a-b/c")], ids=str)
def test_two_documents_with_one_drawing(
    names: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    monkeypatch.chdir(folder)
    files = [folder / f"{name}.rui.json" for name in names]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(DESK))
    if names[1] == "b.rui.json":
        files[1] = files[1].rename(folder / "b")
    ran = rui("wireframe", *(os.path.relpath(file) for file in files), "-o", "drawn/")
    [drawn] = (folder / "drawn").iterdir()
    assert ran == (2, "", f"rui wireframe: cannot write drawn/{drawn.name}: it is the drawing of another document\n")


@pytest.mark.parametrize(("command", "arguments"), [
    ("wireframe", ["b.rui.json"]), ("wireframe", ["a.rui.json"]), ("wireframe", ["none.rui.json"]),
    ("wireframe", ["./b.rui.json", "--format", "svg"]), ("wireframe", ["b.rui.json", "--format", "markdown"]),
    ("wireframe", ["plain"]), ("wireframe", ["./plain"]), ("openapi", ["b.rui.json"]), ("openapi", ["./plain"]),
])  # fmt: skip
def test_no_document_is_overwritten(
    command: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In `-o *.rui.json`, the first document is the target."""
    monkeypatch.chdir(tmp_path)
    if command == "openapi":
        arguments = arguments[:1]
    for name in ("a.rui.json", "b.rui.json", "plain"):
        (tmp_path / name).write_text(json.dumps(DESK))
    ran = rui(command, "plain", "-o", *arguments)
    expected = f"rui {command}: -o {arguments[0]}: this is a document; see rui {command} --help\n"
    assert ran == (2, "", expected)
    assert {path.read_text() for path in tmp_path.iterdir()} == {json.dumps(DESK)}


def test_a_file_gets_one_drawing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if further documents of the folder cannot be read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "apps").mkdir()
    for name in "abc":
        (tmp_path / "apps" / f"{name}.rui.json").write_text(json.dumps(DESK))
    (tmp_path / "apps" / "d.rui.json").symlink_to("none")
    for arguments in ([], ["-o", "drawn.html"]):
        ran = rui("wireframe", "apps", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.endswith("name one document, or a folder after -o; see rui wireframe --help\n")
    assert not (tmp_path / "drawn.html").exists()


@pytest.mark.parametrize(("arguments", "error"), [
    ([], "name one document, or a folder after -o; see rui wireframe --help"),
    (["a", "b"], "name one document, or a folder after -o; see rui wireframe --help"),
    (["none"], "cannot read none: no such file or directory"),
    (["-", "-o", "none/x.svg"], "cannot write none/x.svg: there is no folder none"),
    (["-", "-o", "x.png"], "no format has the suffix .png: use one of .html, .svg, .md, or --format; see "
     "rui wireframe --help"),
])  # fmt: skip
def test_errors(arguments: list[str], error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert rui("wireframe", *arguments) == (2, "", f"rui wireframe: {error}\n")


# With an OpenAPI description ------------------------------------------------------------------------------------------

EXAMPLES = SHOP.replace("open: {type: integer}", "open: {type: integer, example: 1284}").replace(
    "id: {type: integer}", "id: {type: integer, example: 77}"
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a description and documents."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "openapi.yaml").write_text(EXAMPLES)
    (tmp_path / "apps" / "a.rui.json").write_text(metric("/summary", "data.open", format="number"))
    (tmp_path / "apps" / "b.rui.json").write_text(table("/orders", "items", "id", "status", "nme"))
    (tmp_path / "apps" / "c.rui.json").write_text(metric("/sumary", "data.open"))
    return tmp_path


def drawn(format_: str, *arguments: str, stdin: str = "") -> str:
    """The text of a wireframe in a format, on one line."""
    ran = rui("wireframe", "--format", format_, *arguments, stdin=stdin)
    assert (ran.code, ran.err) == (0, "")
    text = ran.out
    if format_ == "html":
        text = html.unescape(re.sub(r"<(?!wbr|b class|/b)[^>]*>", " ", text.replace("<wbr>", "")))
    if format_ == "svg":
        text = " ".join(element.text or "" for element in ElementTree.fromstring(text).iter(f"{SVG}text"))
    return " ".join(text.replace("&nbsp;", " ").split())


@pytest.mark.parametrize("format_", ["html", "svg", "markdown"])
def test_a_wireframe_shows_what_the_description_states(format_: str, shop: Path) -> None:
    option = ["--openapi", "apps/openapi.yaml"]
    text = drawn(format_, "apps/a.rui.json", *option)
    assert "1 of 1 binding is in the description" in text
    for words in ("1284", "a number · example", "GET /summary"):
        assert words in text
    assert "###" not in text.removeprefix("### ")
    text = drawn(format_, "apps/b.rui.json", *option)
    for words in ("1 of 1 binding is in the description; 1 field is not", "77", "open", "List orders", "a number ·",
                  "not in the description", 'The rows of GET /orders have no "nme"'):  # fmt: skip
        assert words in text
    text = drawn(format_, "apps/c.rui.json", *option)
    assert "0 of 1 binding is in the description" in text
    assert 'The API has no GET operation at "/sumary".' in text and "Not in the API:" in text
    without = drawn(format_, "apps/a.rui.json")
    assert "description" not in without.replace("no OpenAPI description", "") and "1284" not in without


def test_the_description_of_rui_toml_is_used(shop: Path) -> None:
    (shop / "apps" / "rui.toml").write_text('[api]\nopenapi = "openapi.yaml"\n')
    assert "1284" in drawn("html", "apps/a.rui.json")
    assert "1284" not in drawn("html", "-", stdin=metric("/summary", "data.open"))
    name = "apps/new.rui.json"
    assert "1284" in drawn("svg", "-", "--stdin-filename", name, stdin=metric("/summary", "data.open"))
    assert rui("wireframe", "apps", "--format", "svg", "-o", "drawn/") == (0, "", "")
    assert ">1284</text>" in (shop / "drawn" / "apps-a.svg").read_text()
    assert rui("wireframe", "-", "-o", "drawn/", "--stdin-filename", name, stdin="{}").code == 0
    assert (shop / "drawn" / "apps-new.html").exists()
    text = drawn("markdown", "apps")
    assert [text.count(words) for words in ("### ", "of 1 binding is in the description")] == [3, 3]
    assert rui("wireframe", "apps", "-o", "all.md").code == 0
    assert " ".join((shop / "all.md").read_text().split()) == text
    (shop / "apps" / "rui.toml").write_text("[api]\nopenapi = false\n")
    assert "1284" not in drawn("html", "apps/a.rui.json")


def test_a_bad_description_is_one_line_and_placeholders_are_drawn(shop: Path) -> None:
    (shop / "apps" / "openapi.yaml").write_text("swagger: '2.0'")
    ran = rui("wireframe", "apps/a.rui.json", "--openapi", "apps/openapi.yaml")
    error = "cannot use apps/openapi.yaml: it is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1"
    assert (ran.code, ran.err) == (2, f"rui wireframe: {error}\n")
    assert "###" in ran.out
    (shop / "apps" / "openapi.yaml").write_text(EXAMPLES.replace("#/components/schemas/Summary", "other.yaml#/x"))
    ran = rui("wireframe", "apps/a.rui.json", "--openapi", "apps/openapi.yaml")
    assert (ran.code, ran.err) == (
        0, "rui wireframe: note: cannot read apps/other.yaml: no such file or directory\n",
    )  # fmt: skip
    assert "0 of 1 binding is in the description; for 1 it has no schema" in ran.out


def test_an_internal_error_of_the_comparison_draws_placeholders(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise IndexError("no such name")

    monkeypatch.setattr(api_checks, "describe_data", fail)
    ran = rui("wireframe", "apps/a.rui.json", "--openapi", "apps/openapi.yaml")
    assert (ran.code, ran.err.count("\n"), "###" in ran.out) == (2, 1, True)
    assert ran.err.startswith(
        "rui wireframe: apps/a.rui.json is not compared with the API: internal error: IndexError("
    )


HOSTILE_EXAMPLES = [
    "<script>alert(1)</script>", "</style><img src=x onerror=alert(1)>", "]]>", '"onload="alert(1)', "&lt;b&gt;",
    "|`*_@all",
    "\0\x1b[2J\u202e\u2028\ud800", "\r\n\r\n", "x" * 100_000, "日本" * 50_000, "e\u0301" * 999, "😀" * 999,
    int("9" * 400), -0.0, 1e300, "eyJhbGciOiJIUzI1NiJ9.e30.secret", "javascript:alert(1)", "{{7*7}}", "{value}", "%s",
]  # fmt: skip


@pytest.mark.parametrize("example", HOSTILE_EXAMPLES, ids=lambda example: ascii(example)[:30])
def test_any_example_is_escaped_and_short(example: object, shop: Path) -> None:
    row = {"type": "object", "properties": {"a": {"example": example}, "b": {"type": "string", "enum": [example]}}}
    body = {"schema": {"type": "object", "properties": {"rows": {"type": "array", "items": row}}}}
    value = {"schema": {"type": "object", "properties": {"v": {"type": "string"}}}, "example": {"v": example}}
    paths = {
        path: {"get": {"summary": str(example), "responses": {"200": {"content": {"application/json": payload}}}}}
        for path, payload in (("/rows", body), ("/value", value))
    }
    (shop / "openapi.json").write_text(json.dumps({"openapi": "3.1.0", "paths": paths}))
    for text in (metric("/value", "v"), table("/rows", "rows", "a", "b")):
        sizes = []
        for format_ in ("html", "svg", "markdown"):
            ran = rui("wireframe", "-", "--format", format_, "--openapi", "openapi.json", stdin=text)
            assert (ran.code, ran.err) == (0, "")
            sizes.append(len(ran.out))
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", ran.out)
            if format_ == "html":
                body_of = ran.out.partition("</head>")[2]
                assert {tag.lower() for tag in re.findall(r"<([a-zA-Z0-9]+)", body_of)} <= PLAIN_TAGS
                assert not re.search(r"<[^>]*\son\w+=", body_of)
            if format_ == "svg":
                assert {element.tag for element in ElementTree.fromstring(ran.out).iter()} <= SVG_TAGS
            if format_ == "markdown":
                assert "<script" not in ran.out and "<img" not in ran.out and "@all" not in ran.out
                assert len(ran.out.splitlines()) == 9
        assert max(sizes) < 60_000
