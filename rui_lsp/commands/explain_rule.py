"""``rui.explainRule``: the documentation of a rule."""

from pygls.exceptions import JsonRpcInvalidParams

from rui_common.json_values import JsonObject
from rui_common.suggest import did_you_mean
from rui_common.vocabulary.queries import rule_url
from rui_lsp.commands.arguments import Arguments
from rui_lsp.server import RuiLanguageServer


async def explain_rule(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Return the documentation of a rule, or of all rules of a code.

    Arguments: ``["R7b"]``, ``["UNKNOWN_PROP"]``, or ``[{rule}]``.

    Returns:
        ``{markdown, url}``: the page, and its address, or ``""``. Without arguments, ``{rules}``: number and code of
        each.
    """
    from rui_common.describe.rule_pages import pages_of  # 14 ms of the start

    arguments = Arguments(values, rule="")
    word = arguments.text("rule")
    if not values:
        return {"rules": [{"number": page.number, "code": page.code} for page in pages_of()]}
    pages = pages_of(word) if word.strip() else []
    if not pages:
        names = [name for page in pages_of() for name in (page.number, page.code)]
        raise JsonRpcInvalidParams(f"unknown rule or code {word!r:.100}{did_you_mean(word.upper(), names)}")
    url = rule_url(ls.configuration.settings.docs_url, pages[0].number)
    return {"markdown": "\n".join(page.markdown() for page in pages), "url": url}
