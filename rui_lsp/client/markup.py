"""Markdown → the markup that the client supports: Markdown or plain text."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.client import Client
    from rui_lsp.client.convert import Json

_MARKDOWN = "markdown"
_TEXT = "plaintext"
_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\n]*)\)")
_RULER = re.compile(r"^---$", re.MULTILINE)


def markup(client: Client, text: str, *capability: str) -> Json:
    """Return Markdown as LSP ``MarkupContent`` of the kind that the client prefers.

    Args:
        client: the client.
        text: Markdown.
        capability: path of the client's list of kinds below ``textDocument``. Without such a list it is plain text.
    """
    kinds = client.values("textDocument", *capability)
    kind = next((kind for kind in kinds if kind in {_MARKDOWN, _TEXT}), _TEXT)
    if kind == _TEXT:
        text = strip_markdown(text)
    return {"kind": kind, "value": text}


def strip_markdown(markdown: str) -> str:
    """Remove the Markdown syntax that `rui_common.editing.hover` uses. The text of links is kept."""
    text = _RULER.sub("", _LINK.sub(r"\1", markdown))
    return text.replace("**", "").replace("`", "").replace("\n\n\n\n", "\n\n")
