"""``rui.explainRule``: the documentation of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from rui_common.describe.rule_pages import pages_of
from rui_common.suggest import nearest
from rui_common.vocabulary.queries import rule_url
from rui_lsp.client.markup import strip_markdown
from rui_lsp.commands.arguments import Arguments
from rui_lsp.commands.show_in_client import show_address, show_text

if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.server.server import RuiLanguageServer


async def explain_rule(ls: RuiLanguageServer, params: types.ExecuteCommandParams) -> Json:
    """Explain a rule, or all rules of a code: ``["R7b"]``, ``["UNKNOWN_PROP"]``, or ``[{rule, show}]``; or list all.

    Returns:
        ``{markdown, url}``: the page, and its address, or ``""``. If ``show`` is true, the page is also opened as a
        file; a client that opens no files shows its address, or its text if it has none. Without arguments,
        ``{rules}``: number and code of each.
    """
    arguments = Arguments(params.arguments, "rule", flags=("show",))
    word = arguments.text("rule")
    if not params.arguments:
        return {"rules": [{"number": page.number, "code": page.code} for page in pages_of()]}
    pages = pages_of(word) if word.strip() else []
    if not pages:
        names = [name for page in pages_of() for name in (page.number, page.code)]
        suggestion = nearest(word.upper(), names)
        message = f"unknown rule or code {word!r:.100}"
        if suggestion is not None:
            message += f"; did you mean {suggestion}?"
        raise JsonRpcInvalidParams(message)
    url = rule_url(ls.configuration.settings.docs_url, pages[0].number)
    markdown = "\n".join(page.markdown() for page in pages)
    if arguments.flag("show", default=False):
        if ls.supports("window.show_document.support"):
            await show_text(ls, f"{word.upper()}.md", markdown)
        elif url:
            await show_address(ls, url, word)
        else:
            ls.show_message(types.MessageType.Info, _message_of(markdown))
    return {"markdown": markdown, "url": url}


def _message_of(markdown: str) -> str:
    """A page as the text of a message: without marks, fences and empty lines."""
    lines = (line.lstrip("# ") for line in strip_markdown(markdown).split("\n"))
    return "\n".join(filter(None, lines))
