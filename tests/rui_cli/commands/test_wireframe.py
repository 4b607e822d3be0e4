"""`rui wireframe`: files that show a document without another file, valid or not."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rui_common.describe import full_example
from rui_inspector.html.wireframe_svg import WIDTH
from tests.rui_cli.running import rui
from tests.rui_inspector.browser import DESK
from tests.rui_inspector.pages import BROKEN, HOSTILE, with_text_everywhere

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(document: dict[str, object]) -> list[str]:
    """Return the texts of the image of a document, whose elements are checked."""
    root = ElementTree.fromstring(rui("wireframe", "-", "--format", "svg", stdin=json.dumps(document)).out)
    assert {element.tag for element in root.iter()} <= {f"{SVG}{tag}" for tag in ("svg", "style", "rect", "text")}
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
    ids=lambda it: ascii(json.dumps(it))[:60],
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


@pytest.mark.parametrize(("arguments", "error"), [
    ([], "name one document, or a folder after -o; see rui wireframe --help"),
    (["a", "b"], "name one document, or a folder after -o; see rui wireframe --help"),
    (["none"], "cannot read none: no such file or directory"),
    (["-", "-o", "none/x.svg"], "cannot write none/x.svg: no such file or directory"),
])  # fmt: skip
def test_errors(arguments: list[str], error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert rui("wireframe", *arguments) == (2, "", f"rui wireframe: {error}\n")
