"""Document links: the web addresses in a text, the stored spec of a published document, the pages of broken rules."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from lsprotocol import types

from rui_common.syntax.spans import Span
from rui_common.vocabulary.queries import rule_url
from rui_lsp.client.convert import OFF, to_range

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_lsp.documents.document import OpenDocument
    from rui_lsp.server.server import RuiLanguageServer

MAX_RULES = 200
"""How many diagnostics get a link at most."""

# As JSON writes it: a slash may have a backslash before it.
_ADDRESS = re.compile(r'https?:(?:\\?/){2}(?:[^\s"\\<>]|\\/)+')
_PUNCTUATION = ".,;:!?'"


class _Link:
    __slots__ = ("span", "target", "tooltip")

    def __init__(self, span: Span, target: str, tooltip: str | None = None) -> None:
        self.span = span
        self.target = target
        self.tooltip = tooltip


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)(document_link)


def document_link(ls: RuiLanguageServer, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    """Every http(s) address in the text, the stored spec, and the rule of every diagnostic."""
    document = ls.workspace.get(params.text_document)
    links = [*_stored_spec(ls, document), *_document_paths(str(document.text)), *_rules(ls, document)]
    return [
        types.DocumentLink(to_range(link.span, document.text), target=link.target, tooltip=link.tooltip)
        for link in _without_overlaps(links)
    ]


def _document_paths(text: str) -> Iterator[_Link]:
    """Every http(s) address, without the punctuation at its end."""
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(_PUNCTUATION)
        if address.endswith(")") and address.count("(") < address.count(")"):
            address = address[:-1].rstrip(_PUNCTUATION)
        yield _Link(Span(match.start(), match.start() + len(address)), address.replace("\\/", "/"))


def _stored_spec(ls: RuiLanguageServer, document: OpenDocument) -> Iterator[_Link]:
    """At the first key of a published document: its page in the service."""
    address = ls.workspace.published.get(document.uri)
    if address is None:
        return
    value = document.document.value
    first_key = next(iter(value), None) if isinstance(value, dict) else None
    span = document.document.range_of(())
    if first_key is not None:
        span = document.document.range_of((first_key,), key=True)
    yield _Link(span, address, "Look at what was published")


def _rules(ls: RuiLanguageServer, document: OpenDocument) -> Iterator[_Link]:
    """At every diagnostic: the page of its rule."""
    settings = ls.settings_for(document.uri)
    if not settings.docs_url:
        return
    for diagnostic in document.diagnostics[:MAX_RULES]:
        if settings.severity_for(diagnostic) != OFF:
            name = diagnostic.rule or diagnostic.code
            yield _Link(diagnostic.span, rule_url(settings.docs_url, name), f"Explain {name}")


def _without_overlaps(links: Iterable[_Link]) -> list[_Link]:
    """The links in text order, without empty ones and those that overlap an earlier one of the list."""
    accepted: list[_Link] = []
    for link in links:
        index = bisect_left(accepted, link.span.start, key=lambda one: one.span.start)
        is_after_previous = index == 0 or accepted[index - 1].span.end <= link.span.start
        is_before_next = index == len(accepted) or link.span.end <= accepted[index].span.start
        if link.span.start < link.span.end and is_after_previous and is_before_next:
            accepted.insert(index, link)
    return accepted
