"""``rui.explainRule``: what there is to know about a rule."""

from __future__ import annotations

from rui_common.describe.rule_pages import anchor, pages_of
from rui_common.suggest import nearest
from rui_lsp.commands.arguments import Arguments
from rui_lsp.commands.show_in_client import show_address
from rui_lsp.protocol.errors import InvalidParamsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace


async def run(workspace: Workspace, params: Json) -> Json:
    """Explain a rule, or all rules of a code: ``["R7b"]``, ``["UNKNOWN_PROP"]``, or ``[{rule, show}]``.

    Returns:
        ``{markdown, url}``: the page, and its published address, which is also opened if ``show`` is true.
    """
    arguments = Arguments(params.get("arguments"), "rule", flags=("show",))
    word = arguments.text("rule")
    pages = pages_of(word) if word.strip() else []
    if not pages:
        every = [name for page in pages_of() for name in (page.number, page.code)]
        near = nearest(word.upper(), every)
        raise InvalidParamsError(
            f"no rule or code is called {word!r:.100}" + ("" if near is None else f"; did you mean {near}?")
        )
    url = f"{workspace.client.settings.docs_url}#{anchor(pages[0].number)}"
    if arguments.flag("show", default=False):
        await show_address(workspace.client, url, word)
    return {"markdown": "\n".join(page.markdown() for page in pages), "url": url}
