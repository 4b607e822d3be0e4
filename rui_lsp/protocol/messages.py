"""What the messages of JSON-RPC hold: plain data, looked at as it is."""

from __future__ import annotations

from rui_lsp.protocol.errors import InvalidParamsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json


def id_of(message: object) -> object:
    """The id to answer with: null unless there is a proper one."""
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, str) or type(found) is int else None


def named(message: Json) -> str:
    """A message for people who read a trace."""
    method = message.get("method", "a response")
    return f"{method} ({message['id']})" if "id" in message else str(method)


def cancelled_by(message: object) -> object:
    """The id of the request that a notification cancels, or None."""
    if not isinstance(message, dict) or message.get("method") != "$/cancelRequest" or "id" in message:
        return None
    return id_of(message.get("params"))


def params_of(message: Json) -> Json:
    """The parameters of a message.

    Raises:
        InvalidParamsError: they are no object.
    """
    return object_of(message, "params")


def object_of(holder: Json, name: str) -> Json:
    """An object in another.

    Raises:
        InvalidParamsError: there is none of that name.
    """
    found = holder.get(name)
    if not isinstance(found, dict):
        raise InvalidParamsError(f"{name} is no object")
    return found
