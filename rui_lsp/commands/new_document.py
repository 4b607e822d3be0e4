"""``rui.newDocument``: a document to start from."""

from pygls.exceptions import JsonRpcInvalidParams

from rui_common.document_files import file_name
from rui_common.json_values import JsonObject
from rui_lsp.commands.arguments import Arguments
from rui_lsp.server import RuiLanguageServer


async def new_document(ls: RuiLanguageServer, *values: object) -> JsonObject:  # noqa: ARG001
    """Return a document to start from: a short one, or one with every block.

    Arguments: ``[]``, ``[title]``, or ``[{title, full}]``.

    Returns:
        ``{text, name}``: the document, and a file name made of its title.
    """
    from rui_common.describe.examples import new_document_text  # 14 ms of the start

    arguments = Arguments(values, title="", full=False)
    title = arguments.text("title")
    try:
        text = new_document_text(title, full=arguments.flag("full"))
    except UnicodeEncodeError:
        raise JsonRpcInvalidParams("the title has half a surrogate pair in it") from None
    return {"text": text, "name": file_name(title, "new")}
