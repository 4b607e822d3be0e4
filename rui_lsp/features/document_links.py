"""Document links: the web addresses in a text, such as that of a stored spec."""

from __future__ import annotations

import re

from rui_common.members import Span
from rui_lsp.convert import range_to_lsp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.convert import Json
    from rui_lsp.workspace import Workspace

METHOD = "textDocument/documentLink"

# As JSON writes it: a slash may have a backslash before it.
_ADDRESS = re.compile(r'https?:(?:\\?/){2}(?:[^\s"\\<>]|\\/)+')
_BEHIND = ".,;:!?'"


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/documentLink``: every http(s) address, without the punctuation behind it."""
    opened = workspace.document_of(params)
    if opened is None:
        return None
    text = str(opened.text)
    found: list[Json] = []
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(_BEHIND)
        if address.endswith(")") and address.count("(") < address.count(")"):
            address = address[:-1].rstrip(_BEHIND)
        span = Span(match.start(), match.start() + len(address))
        found.append({"range": range_to_lsp(span, opened.text), "target": address.replace("\\/", "/")})
    return found
