"""Commands of the preview: the document as the inspector shows it, with a wireframe, while it is written."""

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from rui_common.json_values import JsonObject
from rui_lsp.commands.arguments import Arguments
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.threads import in_thread

PAGE_ARGUMENTS = ("stylesheet", "script", "policy", "nonce")
"""The arguments about the page that contains the preview (see `rui_inspector.html.pages.PageHost`)."""


async def preview(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Show a document as the inspector does, with a wireframe, while it is written.

    Arguments: ``[uri]``, ``[{uri, show}]``, or ``[]`` for the one that was edited last. With an OpenAPI description,
    blocks show its operations, types and examples.

    For a client that shows the page itself: ``[{uri, stylesheet, script, policy, nonce}]``.

    Returns:
        With a ``stylesheet``, ``{html}``: a page for the client to show, whose nodes have ``data-offset`` and
        ``data-end``, in code points. Without, ``{uri}``: a page on this machine that follows the text and the caret of
        the editor until the server ends. The browser opens it, too, unless ``show`` is false.
    """
    from rui_lsp.preview.live import LivePreviews, content_of  # most sessions need none

    arguments = Arguments(values or [ls.edited_uri], uri="", show=True, **dict.fromkeys(PAGE_ARGUMENTS, ""))
    uri = arguments.uri()
    content = content_of(ls, uri)
    if arguments.text("stylesheet"):
        return {"html": await in_thread(content.render, {name: arguments.text(name) for name in PAGE_ARGUMENTS})}
    if not isinstance(ls.observer, LivePreviews):
        ls.observer = LivePreviews(ls)
    address = ls.observer.address(uri)
    if arguments.flag("show"):
        await ls.show_address(address, "The preview")
    return {"uri": address}


async def preview_cursor(ls: RuiLanguageServer, place: types.TextDocumentPositionParams | None = None) -> JsonObject:
    """Mark the node at the author's caret in the live preview.

    Arguments: ``[{textDocument: {uri}, position}]``, as in requests about a position. A client that requests document
    highlights when the caret rests does not need it.

    Returns:
        ``{}``.
    """
    if place is None:
        raise JsonRpcInvalidParams("rui.previewCursor needs a document and a position")
    ls.observer.caret_moved(place.text_document.uri, place.position)
    return {}
