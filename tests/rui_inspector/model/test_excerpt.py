"""The excerpt of a very large document."""

import json

import pytest

from rui_common.syntax.document import read
from rui_inspector.html.json_listing import set_places
from rui_inspector.html.pages import preview_page
from rui_inspector.model.excerpt import MAX_SHOWN, Excerpt, cut
from rui_inspector.model.view import View, view_of

PAGE = {"type": "Page", "children": [{"type": "Section", "children": [{"type": "Text"}, {"type": "Text"}]}]}


def placed(pages: int) -> View:
    """The view of a document whose pages have four nodes each."""
    text = json.dumps({"pages": [{"id": f"p{number}", **PAGE} for number in range(pages)]})
    document = read(text)
    view = view_of(document.value)
    set_places(view, document)
    return view


@pytest.mark.parametrize(
    ("at", "first", "last"), [(0, 1, 5), (1, 1, 5), (5, 4, 8), (9, 6, 10)], ids=["start", "second", "middle", "end"]
)
def test_the_pages_around_the_caret_are_kept(at: int, first: int, last: int) -> None:
    view = placed(10)
    pages = view.nested["pages"]
    excerpt = cut(view, pages[at].start + 5, limit=20)
    assert excerpt == Excerpt(pages[first - 1].start, pages[last - 1].end, first, last, 10)
    assert view.nested["pages"] == pages[first - 1 : last]
    assert len(view.nodes) == 20
    assert pages[at] in view.nodes


def test_one_page_is_kept_however_large_it_is() -> None:
    view = placed(10)
    excerpt = cut(view, view.nested["pages"][3].start, limit=1)
    assert excerpt is not None
    assert (excerpt.first, excerpt.last) == (4, 4)


@pytest.mark.parametrize("pages", [0, 1, 5])
def test_a_small_document_is_complete(pages: int) -> None:
    view = placed(pages)
    assert cut(view, 0, limit=20) is None
    assert len(view.nodes) == 4 * pages


def test_a_page_names_what_it_shows() -> None:
    count = MAX_SHOWN // 4 + 50
    text = json.dumps({"pages": [{"id": f"p{number}", **PAGE} for number in range(count)]})
    html = preview_page(text, focus=text.index('"p200"'))
    assert f"pages 51 to 300 of {count} are shown" in html
    assert 'id="p200"' in html
    assert 'id="p20"' not in html
    assert "This document is large" not in preview_page(json.dumps({"pages": [PAGE]}))
