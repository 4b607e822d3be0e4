"""Document links: the web addresses in a text, the stored spec of a published document, the pages of broken rules."""

from __future__ import annotations

import re
from bisect import bisect_left

from rui_common.syntax.spans import Span
from rui_lsp.client.convert import OFF, range_to_lsp, rule_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import OpenDocument, Workspace

    Link = tuple[Span, Json]

METHOD = "textDocument/documentLink"

MAX_RULES = 200
"""So many faults get a link at most."""

# As JSON writes it: a slash may have a backslash before it.
_ADDRESS = re.compile(r'https?:(?:\\?/){2}(?:[^\s"\\<>]|\\/)+')
_BEHIND = ".,;:!?'"


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/documentLink``: every http(s) address in the text, the stored spec, the rule of every fault."""
    opened = workspace.document_of(params)
    links = [*_stored(workspace, opened), *_addresses(str(opened.text)), *_rules(workspace, opened)]
    return [{"range": range_to_lsp(span, opened.text), **link} for span, link in _apart(links)]


def _addresses(text: str) -> Iterator[Link]:
    """Every http(s) address, without the punctuation behind it."""
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(_BEHIND)
        if address.endswith(")") and address.count("(") < address.count(")"):
            address = address[:-1].rstrip(_BEHIND)
        yield Span(match.start(), match.start() + len(address)), {"target": address.replace("\\/", "/")}


def _stored(workspace: Workspace, opened: OpenDocument) -> Iterator[Link]:
    """Behind the first word of a document that was published: what people see of it."""
    address = workspace.published.get(opened.uri)
    value = opened.document.value
    if address is not None:
        first = next(iter(value), None) if isinstance(value, dict) else None
        span = opened.document.range_of(() if first is None else (first,), key=first is not None)
        yield span, {"target": address, "tooltip": "Look at what was published"}


def _rules(workspace: Workspace, opened: OpenDocument) -> Iterator[Link]:
    """At every fault the page of its rule."""
    settings = workspace.client.settings_for(opened.uri)
    for diagnostic in opened.diagnostics[:MAX_RULES]:
        if settings.severity_for(diagnostic) != OFF:
            tooltip = f"Explain {diagnostic.rule or diagnostic.code}"
            yield diagnostic.span, {"target": rule_url(diagnostic, settings.docs_url), "tooltip": tooltip}


def _apart(links: list[Link]) -> Iterator[Link]:
    """The links in text order, without those that would lie over another that comes before them in the list."""
    taken: list[Link] = []
    for span, link in links:
        place = bisect_left(taken, span.start, key=lambda one: one[0].start)
        is_behind = not place or taken[place - 1][0].end <= span.start
        is_before = place == len(taken) or span.end <= taken[place][0].start
        if span.start < span.end and is_behind and is_before:
            taken.insert(place, (span, link))
    yield from taken
