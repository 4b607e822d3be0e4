"""Parameters of clients: values that can be read, ignored ones, and one that cannot be read."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple, TypeVar, get_args

from cattrs import Converter
from cattrs.errors import AttributeValidationNote, ClassValidationError, IterableValidationError
from lsprotocol import types
from pygls.protocol import default_converter

from rui_lsp.protocol.log import logger

_T = TypeVar("_T")

Step = str | int

SOURCE = "rui"  # the source of our diagnostics

_MAX_INTEGER = 2**31 - 1
_MAX_DROPPED = 100
_MAX_VALUE = 60  # characters of a value in a message

_DIAGNOSTICS: dict[str, tuple[Step, ...]] = {
    types.TEXT_DOCUMENT_CODE_ACTION: ("params", "context", "diagnostics"),
    types.CODE_ACTION_RESOLVE: ("params", "diagnostics"),
}
"""Where a client sends diagnostics along. Those that cannot be read are not ours."""


class InvalidParametersError(Exception):
    """The parameters of a message cannot be read. The message names the method and the value."""


class _Fault(NamedTuple):
    """The first value that cannot be read."""

    steps: tuple[Step, ...]
    type: object


def strict_converter() -> Converter:
    """Return the converter of pygls, but reading no other type as a string or integer: `None` is no new name."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    # A hook also applies to the subclasses: booleans, and enums of strings and integers.
    converter.register_structure_hook(str, _string)
    converter.register_structure_hook(int, _integer)
    return converter


def _string(value: object, expected: type[str]) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    return expected(value)


def _integer(value: object, expected: type[int]) -> int:
    if expected is bool and isinstance(value, bool):
        return value
    # Clients without integers, such as those in Lua, may send 1.0.
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise TypeError("not an integer")
    return expected(int(value))


def structure(converter: Converter, message: dict[str, Any], message_type: type[_T]) -> _T:
    """Return a message as lsprotocol's type. Values that do not matter and cannot be read are removed from `message`.

    These are members of enums that LSP does not have, diagnostics of other servers, and any parameter of `initialize`.

    Raises:
        InvalidParametersError: another value cannot be read.
    """
    method = message.get("method", "response")
    dropped: tuple[Step, ...] | None = None
    explanation = ""
    for _ in range(_MAX_DROPPED):
        _repair(method, message)
        try:
            return converter.structure(message, message_type)
        except (ClassValidationError, IterableValidationError) as error:
            fault = _first_fault(error)
        can_drop = (
            method == types.INITIALIZE
            or _is_enum(fault.type)
            or fault.steps == dropped  # The value around it lacks the value that was removed.
            or _is_sent_diagnostic(method, fault.steps)
        )
        explanation = _explain(method, message, fault.steps)
        if not can_drop or not _drop(message, fault.steps):
            break
        logger.info("%s; it is ignored", explanation)
        dropped = fault.steps
    if method != types.INITIALIZE:
        raise InvalidParametersError(explanation)
    message["params"] = {}
    _repair(method, message)
    return converter.structure(message, message_type)


def _first_fault(error: BaseException) -> _Fault:
    steps: list[Step] = []
    expected: object = None
    while isinstance(error, ClassValidationError | IterableValidationError):
        with_notes, _ = error.group_exceptions()
        if not with_notes:
            break
        error, note = with_notes[0]
        expected = note.type
        if isinstance(note, AttributeValidationNote):
            steps.append(_camel_case(note.name))
        else:
            steps.append(note.index)
    return _Fault(tuple(steps), expected)


def _camel_case(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name.rstrip("_"))


def _is_enum(expected: object) -> bool:
    candidates = (expected, *get_args(expected))
    return any(isinstance(candidate, type) and issubclass(candidate, Enum) for candidate in candidates)


def _is_sent_diagnostic(method: str, steps: tuple[Step, ...]) -> bool:
    place = _DIAGNOSTICS.get(method)
    return place is not None and len(steps) > len(place) and steps[: len(place)] == place


def _drop(message: dict[str, Any], steps: tuple[Step, ...]) -> bool:
    """Remove a value or, if it is absent, the one around it. Parameters as a whole are not removed."""
    for container, step in reversed(list(_places(message, steps))[1:]):
        if _has(container, step):
            del container[step]
            return True
    return False


def _places(message: dict[str, Any], steps: tuple[Step, ...]) -> Iterator[tuple[Any, Step]]:
    """Yield each value on a path with the next step, as far as the path exists."""
    value: Any = message
    for step in steps:
        yield value, step
        if not _has(value, step):
            return
        value = value[step]


def _has(container: object, step: Step) -> bool:
    if isinstance(container, dict):
        return step in container
    return isinstance(container, list) and isinstance(step, int) and step < len(container)


def _explain(method: str, message: dict[str, Any], steps: tuple[Step, ...]) -> str:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
    if not path:
        return f"{method}: the parameters cannot be read"
    container, step = list(_places(message, steps))[-1]
    if isinstance(container, dict) and step not in container:
        return f"{method}: {path} is missing"
    value = container[step] if _has(container, step) else container
    return f"{method}: {path} cannot be read: {value!a:.{_MAX_VALUE}}"


# Repairs


def _repair(method: str, message: dict[str, Any]) -> None:
    """Replace parameters of which the meaning is clear although LSP does not allow them."""
    if method == types.INITIALIZE and not isinstance(message.get("params"), dict):
        message["params"] = {}
    repair = _REPAIRS.get(method)
    if repair is not None and isinstance(message.get("params"), dict):
        repair(message["params"])


def _repair_initialize(params: dict[str, Any]) -> None:
    params.setdefault("processId", None)
    if not isinstance(params.get("capabilities"), dict):
        params["capabilities"] = {}
    _repair_folders(params.get("workspaceFolders"))


def _repair_folder_event(params: dict[str, Any]) -> None:
    event = params.get("event")
    if isinstance(event, dict):
        for name in ("added", "removed"):
            if event.get(name) is None:
                event[name] = []
            _repair_folders(event[name])


def _repair_folders(folders: object) -> None:
    """Give a folder without a name its address as its name."""
    if not isinstance(folders, list):
        return
    for folder in folders:
        if isinstance(folder, dict) and not isinstance(folder.get("name"), str):
            folder["name"] = folder.get("uri")


def _repair_version(params: dict[str, Any]) -> None:
    """Replace a version that is null, or no integer of LSP, by 0: some clients count none."""
    identifier = params.get("textDocument")
    if isinstance(identifier, dict):
        version = identifier.get("version")
        if isinstance(version, bool) or not isinstance(version, int) or abs(version) > _MAX_INTEGER:
            identifier["version"] = 0


def _repair_changes(params: dict[str, Any]) -> None:
    """Remove a range that is null, which means the whole text; clamp lines and columns to the integers of LSP."""
    _repair_version(params)
    changes = params.get("contentChanges")
    if not isinstance(changes, list):
        return
    for change in changes:
        if not isinstance(change, dict):
            continue
        change.pop("rangeLength", None)  # deprecated
        if change.get("range", ...) is None:
            del change["range"]
        text_range = change.get("range")
        if isinstance(text_range, dict):
            _clamp(text_range.get("start"))
            _clamp(text_range.get("end"))


def _clamp(position: object) -> None:
    if isinstance(position, dict):
        for name in ("line", "character"):
            number = position.get(name)
            if isinstance(number, int | float) and not isinstance(number, bool):
                position[name] = int(max(0, min(number, _MAX_INTEGER)))


def _repair_code_action(params: dict[str, Any]) -> None:
    """Remove the diagnostics of other servers: no fix depends on them."""
    context = params.get("context")
    if context is None:
        context = params["context"] = {}
    if isinstance(context, dict):
        sent = context.get("diagnostics")
        if not isinstance(sent, list):
            sent = []
        context["diagnostics"] = [
            item for item in sent if isinstance(item, dict) and item.get("source") in (None, SOURCE)
        ]
        if isinstance(context.get("only"), list):  # lsprotocol reads any value as a kind.
            context["only"] = [kind for kind in context["only"] if isinstance(kind, str)]


_REPAIRS = {
    types.INITIALIZE: _repair_initialize,
    types.TEXT_DOCUMENT_DID_OPEN: _repair_version,
    types.TEXT_DOCUMENT_DID_CHANGE: _repair_changes,
    types.TEXT_DOCUMENT_CODE_ACTION: _repair_code_action,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: _repair_folder_event,
}
