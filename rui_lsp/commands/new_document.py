"""``rui.newDocument``: a document to start from."""

import unicodedata

from pygls.exceptions import JsonRpcInvalidParams

from rui_common.document_files import SUFFIX
from rui_common.json_values import JsonObject
from rui_lsp.commands.arguments import Arguments
from rui_lsp.server import RuiLanguageServer

MAX_STEM = 60  # Maximum number of characters before the suffix. A file name has at most 255 bytes on most systems.

_PORTS = {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789"}
_RESERVED = {"con", "prn", "aux", "nul", *_PORTS}
"""Names that Windows does not allow, with any suffix."""


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
    return {"text": text, "name": file_name(title)}


def file_name(title: str) -> str:
    """Return a file name for a document: the letters and digits of its title in lower case, with dashes between words.

    >>> file_name("Größe / Order desk"), file_name("CON"), file_name("")
    ('größe-order-desk.rui.json', 'con-app.rui.json', 'new.rui.json')
    """
    normal = unicodedata.normalize("NFKC", title).lower()
    kept = "".join(mark if unicodedata.category(mark)[0] in "LMN" else " " for mark in normal)
    stem = "-".join(kept.split())[:MAX_STEM].rstrip("-")
    if stem in _RESERVED:
        stem = f"{stem}-app"
    return f"{stem or 'new'}{SUFFIX}"
