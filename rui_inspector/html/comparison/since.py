"""What changed since the spec that a document replaces: the first section of the document's page."""

from __future__ import annotations

from rui_common.vocabulary.schema import REPLACES
from rui_inspector.compare.comparison import compare
from rui_inspector.html.comparison.writer import ComparisonWriter
from rui_inspector.html.pages import Changes
from rui_inspector.model.view import view_of

MAX_ITEMS = 6
"""Maximum number of differences that the page of the document shows; its comparison shows all."""


def changes_since(before: object, after: object, before_url: str, after_url: str, compare_url: str) -> Changes:
    """Return what changed since the spec that a document replaces.

    Args:
        before: the root of the replaced spec.
        after: the root of the document.
        before_url: the URL of the page of the replaced spec.
        after_url: the URL of the page of the document.
        compare_url: the URL of the comparison of both.
    """
    old_view = view_of(before)
    comparison = compare(old_view, view_of(after))
    # That the document names the spec is no news.
    comparison.root = [change for change in comparison.root if change.prop is None or change.prop.role != REPLACES]
    writer = ComparisonWriter(comparison, before_url, after_url, draws=False)
    if comparison.is_same:
        return Changes(old_view.title, "", writer.body(), 0)
    items, further = writer.first_items(MAX_ITEMS)
    return Changes(old_view.title, writer.headlines(compare_url), items, further)
