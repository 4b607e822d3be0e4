"""Markdown → what the client shows: Markdown, or plain text if it does not take that."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.client import Client
    from rui_lsp.client.convert import Json

_MARKDOWN, _PLAIN = "markdown", "plaintext"
_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\n]*)\)")
_RULE = re.compile(r"^---$", re.MULTILINE)


def markup(client: Client, text: str, *capability: str) -> Json:
    """Some Markdown as the protocol's ``MarkupContent``, in the kind that the client prefers.

    Args:
        client: the client.
        text: Markdown.
        capability: the names of the client's list of kinds below ``textDocument``. A client that does not say what it
            takes gets plain text, which every client can show.
    """
    kinds = client.values("textDocument", *capability)
    kind = next((kind for kind in kinds if kind in {_MARKDOWN, _PLAIN}), _PLAIN)
    return {"kind": kind, "value": text if kind == _MARKDOWN else strip_markdown(text)}


def strip_markdown(markdown: str) -> str:
    """The Markdown of `rui_common.editing.hover` without its marks; of a link, the words are kept."""
    return _RULE.sub("", _LINK.sub(r"\1", markdown)).replace("**", "").replace("`", "").replace("\n\n\n\n", "\n\n")
