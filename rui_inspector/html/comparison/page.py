"""Render the page of the service that compares two documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rui_inspector.compare.comparison import compare
from rui_inspector.compare.report import Report
from rui_inspector.html.comparison.writer import ComparisonWriter
from rui_inspector.html.pages import MAX_PROBLEMS, UNTITLED, HeaderField, Host
from rui_inspector.html.templates import environment
from rui_inspector.model.problems import DisplayedDiagnostic
from rui_inspector.model.view import view_of


@dataclass(frozen=True)
class ComparedDocument:
    """One of two documents that are compared.

    Attributes:
        document: its root, valid or not.
        name: its name, such as its id.
        url: the URL of its page, or ``""``.
        fields: fields for the header.
        problems: its diagnostics; None if it is known to be valid.
        text: its text, if it is not stored.
        is_broken: whether the text has syntax errors: then its errors are shown, and no differences.
    """

    document: object
    name: str
    url: str = ""
    fields: Sequence[HeaderField] = ()
    problems: Sequence[DisplayedDiagnostic] | None = None
    text: str = ""
    is_broken: bool = False


def comparison_page(before: ComparedDocument, after: ComparedDocument, host: Host, *, swap_url: str = "") -> str:
    """Render the differences between two documents.

    Args:
        before: the first document.
        after: the second document.
        host: the place that shows the page.
        swap_url: URL of the comparison in the other direction, or ``""``.
    """
    old_view = view_of(before.document)
    new_view = view_of(after.document)
    headlines = ""
    body = ""
    summary = ""
    if not before.is_broken and not after.is_broken:
        comparison = compare(old_view, new_view)
        writer = ComparisonWriter(comparison, before.url, after.url)
        headlines = writer.headlines()
        body = writer.body()
        summary = "; ".join(f"{topic}: {counts}" for topic, counts, _ in Report(comparison).headlines())
    return environment().get_template("compare.html").render(
        host=host, sides=((before, old_view), (after, new_view)), swap_url=swap_url, untitled=UNTITLED,
        max_problems=MAX_PROBLEMS, summary=summary, headlines=headlines, body=body,
    )  # fmt: skip
