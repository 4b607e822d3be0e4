"""Errors that answer a request; all others are those of `pygls.exceptions`."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams


class RequestFailedError(JsonRpcException):
    """The request is valid, but cannot be served. Editors show the message to the author."""

    CODE = types.LSPErrorCodes.RequestFailed.value
    MESSAGE = "Request Failed"


class ServerCancelledError(JsonRpcException):
    """A later request for the diagnostics of the same document answers this one, too."""

    CODE = types.LSPErrorCodes.ServerCancelled.value
    MESSAGE = "A later request has replaced this one."

    def __init__(self) -> None:
        super().__init__(data={"retriggerRequest": False})


def not_open_error(uri: str, *, was_open: bool) -> JsonRpcException:
    """Return the error of a request about a document that is not open.

    Args:
        uri: the address of the document.
        was_open: whether it was open before. It may have been closed while the request was on its way: editors do not
            show ``ContentModified``.
    """
    if was_open:
        return JsonRpcContentModified(f"{uri} has been closed.")
    return JsonRpcInvalidParams(f"{uri} is not open: open it first (textDocument/didOpen).")
