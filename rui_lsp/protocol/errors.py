"""Requests that cannot be served, in the protocol's terms."""

from __future__ import annotations

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
SERVER_NOT_INITIALIZED = -32002
REQUEST_CANCELLED, CONTENT_MODIFIED, REQUEST_FAILED = -32800, -32801, -32803


class LspError(Exception):
    """A request is answered with this error.

    Args:
        message: why, for the author; editors show it.
        code: one of the codes above.
    """

    def __init__(self, message: str, code: int = REQUEST_FAILED) -> None:
        super().__init__(message)
        self.code = code

    def to_lsp(self) -> dict[str, object]:
        """The error as the protocol writes it."""
        return {"code": self.code, "message": str(self)}


class InvalidParamsError(LspError):
    """The parameters of a message are not what its method takes."""

    def __init__(self, message: str) -> None:
        super().__init__(message, INVALID_PARAMS)


class NotOpenError(LspError):
    """A request is about a document that is not open.

    One that was open may have been closed while the request was under way: editors keep ``ContentModified`` to
    themselves. One that never was is a mistake of the client's.

    Args:
        uri: its address.
        was_open: whether it has been open before.
    """

    def __init__(self, uri: str, *, was_open: bool) -> None:
        if was_open:
            super().__init__(f"{uri} has been closed.", CONTENT_MODIFIED)
        else:
            super().__init__(f"{uri} is not open: it has to be opened (textDocument/didOpen) first.", INVALID_PARAMS)
        self.uri = uri
