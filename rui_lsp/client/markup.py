"""Markdown as ``MarkupContent``, in a kind that the client can show."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\n]*)\)")
_RULE = re.compile(r"^---$", re.MULTILINE)


def markup(text: str, kinds: Sequence[object]) -> types.MarkupContent:
    """Return text in the first kind of the client's list that is known; plain text for a client without a list.

    Args:
        text: Markdown.
        kinds: the kinds that the client can show, by preference.
    """
    for kind in kinds:
        if kind == types.MarkupKind.Markdown:
            return types.MarkupContent(types.MarkupKind.Markdown, text)
        if kind == types.MarkupKind.PlainText:
            break
    return types.MarkupContent(types.MarkupKind.PlainText, strip_markdown(text))


def strip_markdown(markdown: str) -> str:
    """Return the Markdown of `rui_common.editing.hover` without its marks; of a link, the words are kept."""
    return _RULE.sub("", _LINK.sub(r"\1", markdown)).replace("**", "").replace("`", "").replace("\n\n\n\n", "\n\n")
