"""Parameters of clients: what clients send although LSP does not allow it, and parameters that cannot be read."""

import re
from functools import cache
from typing import Any, TypeVar

from cattrs import Converter, transform_error
from cattrs.errors import ClassValidationError, IterableValidationError
from lsprotocol import types
from pygls.protocol import default_converter

from rui_lsp.protocol.log import logger

_T = TypeVar("_T")

SOURCE = "rui"  # the source of our diagnostics


class InvalidParametersError(Exception):
    """The parameters of a message cannot be read. The message names the method and the parameter."""


@cache
def strict_converter() -> Converter:
    """Return the converter of pygls, but reading no other type as a string or integer: `None` is no new name.

    The servers of one process, as in tests, share it: it compiles functions for each type that it meets.
    """
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    # A hook also applies to the subclasses: booleans, and enums of strings and integers.
    converter.register_structure_hook(str, _string)
    converter.register_structure_hook(int, _integer)
    return converter


def _string(value: object, expected: type[str]) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    return _member(expected, value)


def _integer(value: object, expected: type[int]) -> int:
    if expected is bool and isinstance(value, bool):
        return value
    # Clients without integers, such as those in Lua, may send 1.0.
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise TypeError("not an integer")
    return _member(expected, int(value))


def _member(expected: type[_T], value: str | int) -> _T:
    """Return a member of an enum. Its value need not be in LSP: Visual Studio announces kinds of its own."""
    try:
        return expected(value)  # type: ignore[call-arg]
    except ValueError:
        member: Any = type(value).__new__(expected, value)  # type: ignore[type-var]
        member._name_ = member._value_ = value
        return member  # type: ignore[no-any-return]


def structure(converter: Converter, message: dict[str, Any], message_type: type[_T]) -> _T:
    """Return a message as lsprotocol's type.

    Capabilities that cannot be read are removed from `message`: the client gets a session without their features.

    Raises:
        InvalidParametersError: its parameters cannot be read.
    """
    method = message.get("method", "response")
    params = message.get("params")
    if isinstance(params, dict):
        _repair(converter, method, params)
    try:
        return converter.structure(message, message_type)
    except (ClassValidationError, IterableValidationError) as error:
        explanation = f"{method}: {_explain(error)}"
    if method == types.INITIALIZE and isinstance(params, dict) and params["capabilities"]:
        logger.warning("%s; all capabilities are ignored", explanation)
        params["capabilities"] = {}
        return structure(converter, message, message_type)
    raise InvalidParametersError(explanation)


def _explain(error: BaseException) -> str:
    """Return the first fault, with the path of the value: ``required field missing: params.newName``."""
    fault, _, path = transform_error(error)[0].rpartition(" @ $")
    names = re.sub(r"_([a-z])", lambda match: match[1].upper(), path.removeprefix("."))
    return f"{fault}: {names}"


# Repairs


def _repair(converter: Converter, method: str, params: dict[str, Any]) -> None:
    """Replace parameters of which the meaning is clear although LSP does not allow them."""
    if method == types.INITIALIZE:
        params.setdefault("processId", None)
        params["capabilities"] = params.get("capabilities") or {}
        _name_folders(params.get("workspaceFolders"))
    elif method == types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS and isinstance(params.get("event"), dict):
        _name_folders(params["event"].get("added"))
        _name_folders(params["event"].get("removed"))
    elif method in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE):
        _repair_version(params.get("textDocument"))
        _repair_changes(params.get("contentChanges"))
    elif method == types.TEXT_DOCUMENT_CODE_ACTION and isinstance(params.get("context"), dict):
        # Scripts of Neovim that run a source action send no diagnostics.
        sent = params["context"].get("diagnostics") or []
        if isinstance(sent, list):  # No fix depends on the diagnostics of other servers, and some are unreadable.
            params["context"]["diagnostics"] = [item for item in sent if _is_readable(converter, item)]


def _name_folders(folders: object) -> None:
    """Give a folder without a name its address as its name."""
    if isinstance(folders, list):
        for folder in folders:
            if isinstance(folder, dict) and folder.get("name") is None:
                folder["name"] = folder.get("uri")


def _repair_version(identifier: object) -> None:
    """Replace a version that is null or absent by 0: some clients count none."""
    if isinstance(identifier, dict) and identifier.get("version") is None:
        identifier["version"] = 0


def _repair_changes(changes: object) -> None:
    """Remove a range that is null, which means the whole text, and the length of the range, which is deprecated."""
    if isinstance(changes, list):
        for change in changes:
            if isinstance(change, dict):
                change.pop("rangeLength", None)
                if change.get("range", ...) is None:
                    del change["range"]


def _is_readable(converter: Converter, diagnostic: object) -> bool:
    if not isinstance(diagnostic, dict):
        return False
    try:
        converter.structure(diagnostic, types.Diagnostic)
    except (ClassValidationError, IterableValidationError):
        return False
    return True
