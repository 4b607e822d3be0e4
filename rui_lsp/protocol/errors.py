"""Errors that answer a request; all others are those of `pygls.exceptions`."""

from lsprotocol import types
from pygls.exceptions import JsonRpcException


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
