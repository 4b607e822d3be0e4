"""Share cards: the PNG is decoded, and its areas are counted by colour."""

import copy
import json
import random
import struct
import zlib
from collections import Counter
from dataclasses import dataclass

import pytest

from benchmarks.sample import sample
from rui_common.describe import full_example, minimal_example
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_inspector.card import HEIGHT, WIDTH
from rui_inspector.card.canvas import Canvas, Rectangle
from rui_inspector.card.card import MAX_SCREENS, card_png
from rui_inspector.card.screen import BORDER, COLORS, color
from rui_inspector.model.colors import PALETTE, UNKNOWN_COLOR, colors_of
from rui_inspector.model.view import view_of
from tests.rui_inspector.browser import DESK
from tests.rui_inspector.pages import BROKEN, HOSTILE, altered, with_text_everywhere


@dataclass
class Image:
    """A decoded PNG: rows of indices into a palette."""

    colors: list[tuple[int, int, int]]
    rows: list[bytes]

    def areas(self, name: str) -> int:
        """Return the number of connected areas of a colour."""
        wanted = color(name)
        if wanted not in self.colors:
            return 0
        index = self.colors.index(wanted)
        count = 0
        above: list[tuple[int, int]] = []
        for row in self.rows:
            runs = runs_of(row, index)
            count += sum(not any(left < end and start < right for left, right in above) for start, end in runs)
            above = runs
        return count

    def share(self, name: str) -> float:
        """Return which part of the image has a colour."""
        return sum(row.count(self.colors.index(color(name))) for row in self.rows) / (WIDTH * HEIGHT)


def runs_of(row: bytes, index: int) -> list[tuple[int, int]]:
    runs = []
    end = 0
    while (start := row.find(bytes([index]), end)) >= 0:
        end = start
        while end < len(row) and row[end] == index:
            end += 1
        runs.append((start, end))
    return runs


def decode(png: bytes) -> Image:
    """Decode a PNG with a palette and without filters, and check its structure and checksums."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks: dict[bytes, bytes] = {}
    position = 8
    while position < len(png):
        (length,) = struct.unpack(">I", png[position : position + 4])
        name = png[position + 4 : position + 8]
        content = png[position + 8 : position + 8 + length]
        (checksum,) = struct.unpack(">I", png[position + 8 + length : position + 12 + length])
        assert checksum == zlib.crc32(name + content)
        chunks[name] = content
        position += 12 + length
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [8, 3, 0, 0, 0]
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == (width + 1) * height
    rows = [pixels[start : start + width + 1] for start in range(0, len(pixels), width + 1)]
    assert all(row[0] == 0 for row in rows)
    palette = chunks[b"PLTE"]
    colors = [(palette[at], palette[at + 1], palette[at + 2]) for at in range(0, len(palette), 3)]
    assert len(colors) <= 256
    assert max(map(max, rows)) < len(colors)
    return Image(colors, [row[1:] for row in rows])


def card(document: object) -> Image:
    image = decode(card_png(view_of(document)))
    assert (len(image.rows[0]), len(image.rows)) == (WIDTH, HEIGHT) == (1200, 630)
    return image


def blocks(document: dict[str, object]) -> Counter[str]:
    """Return how many blocks of each type a document has."""
    return Counter(
        block["type"] for page in document["pages"] for section in page["children"] for block in section["children"]
    )


def app(pages: int, types: str = "Metric Metric Table Text", direction: str = "row") -> dict[str, object]:
    """Return a document with the same blocks on each page."""
    examples = {it["type"]: it for page in full_example()["pages"] for it in page["children"][0]["children"]}
    document = minimal_example()
    document["navigation"]["items"] = [{"pageId": f"p{number}"} for number in range(pages)]
    document["pages"] = [
        {"id": f"p{number}", "type": "Page", "title": f"Page {number}", "children": [
            {"id": f"s{number}", "type": "Section", "direction": direction,
             "children": [copy.deepcopy(examples[type_]) for type_ in types.split()]}
        ]} for number in range(pages)
    ]  # fmt: skip
    return document


@pytest.mark.parametrize("document", [DESK, full_example(), minimal_example(), app(1), app(3), app(4), app(6)])
def test_every_block_has_the_colour_of_its_type(document: dict[str, object]) -> None:
    image = card(document)
    for type_, count in blocks(document).items():
        assert image.areas(colors_of(VOCABULARY)[type_]) == count, type_


@pytest.mark.parametrize("pages", range(1, MAX_SCREENS + 1))
def test_every_page_has_a_frame_and_its_tabs(pages: int) -> None:
    document = app(pages, "Text")
    image = card(document)
    assert image.areas(BORDER) == pages
    assert image.areas("title") == pages
    assert image.areas("bar") >= pages


def test_further_pages_are_edges_below_the_last_one() -> None:
    image = card(app(MAX_SCREENS + 2, "Text"))
    assert image.areas("title") == MAX_SCREENS
    assert image.areas(colors_of(VOCABULARY)["Text"]) == MAX_SCREENS
    six = card(app(MAX_SCREENS, "Text"))
    assert image.share(BORDER) > 1.05 * six.share(BORDER)


def test_a_row_and_a_stack_differ() -> None:
    name = colors_of(VOCABULARY)["Text"]
    marks = {}
    for direction in ("row", "stack"):
        image = card(app(1, "Text Text Text", direction))
        index = image.colors.index(color(name))
        marks[direction] = max(len(runs_of(row, index)) for row in image.rows)
    assert marks == {"row": 3, "stack": 1}


def test_a_metric_has_a_figure_and_a_table_has_rows() -> None:
    image = card(app(1, "Metric Table Text"))
    assert image.areas("figure") == 1
    assert image.areas("head") >= 1
    assert image.areas("request") == 2


def test_what_is_missing_is_drawn_as_missing() -> None:
    assert card(DESK).areas("missing") == 0
    document = copy.deepcopy(DESK)
    del document["pages"][0]["children"][0]["children"][0]["binding"]
    assert card(document).areas("missing") >= 1
    assert card({"pages": [{"id": "p", "type": "Page", "title": "a", "children": []}]}).areas("missing") >= 1


def test_colors_are_declared_for_every_type() -> None:
    assert {*PALETTE, UNKNOWN_COLOR} <= COLORS.keys()


def test_the_same_document_has_the_same_card() -> None:
    assert card_png(view_of(DESK)) == card_png(view_of(json.loads(json.dumps(DESK))))


def test_texts_change_only_widths() -> None:
    """No text is drawn: another one of the same length results in the same image."""
    other = json.loads(json.dumps(DESK).replace("Open orders", "日本語ジョブ一覧表示一"))
    same = copy.deepcopy(DESK)
    same["meta"] = {"title": "</title>" * 999}
    assert card_png(view_of(same)) == card_png(view_of(DESK))
    assert card_png(view_of(other)) == card_png(view_of(DESK))


# Hostile and large --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", [None, [], 1, "a", True, {"pages": {}}, *BROKEN])
def test_any_value_has_a_card(document: object) -> None:
    assert card(document).areas(BORDER) >= 1


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts(text: str) -> None:
    card(with_text_everywhere(text))


@pytest.mark.parametrize("seed", range(30))
def test_altered_documents(seed: int) -> None:
    card(altered(sample(4_000, seed=seed), random.Random(seed)))


def deep(levels: int) -> dict[str, object]:
    document = minimal_example()
    block = document["pages"][0]["children"][0]["children"][0]
    for number in range(levels):
        block = {"id": f"n{number}", "type": "Panel", "direction": "row", "children": [block, {"type": "Text"}]}
    document["pages"][0]["children"] = [block]
    return document


@pytest.mark.parametrize("document", [
    app(2000, "Text"), app(1, "Text " * 3000), app(1, "Table " * 900, "stack"), deep(60), deep(200),
    app(1, "Metric " * 300, "row"), sample(250_000),
], ids=["pages", "row", "stack", "deep", "deeper", "metrics", "sample"])  # fmt: skip
def test_large_documents_have_small_cards(document: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = 0
    original = Canvas.draw

    def draw(self: Canvas, rectangle: Rectangle) -> None:
        nonlocal drawn
        drawn += 1
        original(self, rectangle)

    monkeypatch.setattr(Canvas, "draw", draw)
    png = card_png(view_of(document))
    decode(png)
    assert len(png) < 60_000
    assert drawn < 8_000


def test_the_canvas_clips_and_blends() -> None:
    canvas = Canvas(20, 10, (0, 0, 0))
    canvas.draw(Rectangle(-5, -5, 10, 10, (255, 0, 0)))
    canvas.draw(Rectangle(15, 5, 50, 50, (0, 255, 0), 4))
    canvas.draw(Rectangle(30, 30, 5, 5, (0, 0, 255)))
    canvas.draw(Rectangle(10, 2, 0, -3, (0, 0, 255), 9))
    image = decode(canvas.to_png())
    assert image.colors[image.rows[0][0]] == (255, 0, 0)
    assert image.colors[image.rows[4][4]] == (255, 0, 0)
    assert image.colors[image.rows[5][5]] == (0, 0, 0)
    assert image.colors[image.rows[9][19]] == (0, 255, 0)
    assert any(0 < green < 255 for _, green, _ in image.colors)


def test_a_full_palette_draws_without_blending() -> None:
    canvas = Canvas(300, 10, (0, 0, 0))
    for number in range(1, 64):
        for x in range(0, 300, 3):
            canvas.draw(Rectangle(x + number % 3, 0, 9, 9, (4 * number, 255 - number, 7), 4))
    image = decode(canvas.to_png())
    assert {(4 * number, 255 - number, 7) for number in range(1, 64)} <= set(image.colors)
    assert len(image.colors) > 190
