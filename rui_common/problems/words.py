"""Names and values in sentences and titles."""

from collections.abc import Sequence

from rui_common.json_values import as_json
from rui_common.syntax.paths import Path, format_path
from rui_common.texts import MAX_SHOWN, shorten

MAX_LISTED = 12  # maximum number of names in a list of a hint
MAX_LIST_LENGTH = 110  # maximum length of the list


def path_text(path: Path) -> str:
    steps = tuple(shorten(step) if isinstance(step, str) else step for step in path)
    return shorten(format_path(steps), 2 * MAX_SHOWN)


def listed(names: Sequence[str]) -> str:
    """Return names in quotes, separated by commas; cut to `MAX_LISTED` names and `MAX_LIST_LENGTH` characters."""
    listed: list[str] = []
    length = 0
    for name in names[:MAX_LISTED]:
        text = quoted(name)
        length += len(text) + 2
        if listed and length > MAX_LIST_LENGTH:
            break
        listed.append(text)
    if len(listed) < len(names):
        listed.append(f"… ({len(names) - len(listed)} more)")
    return ", ".join(listed)


def one_of(names: Sequence[str]) -> str:
    return f"one of {listed(names)}" if len(names) > 1 else listed(names)


def quoted(name: str) -> str:
    return as_json(shorten(name, MAX_SHOWN + 24))


def titled(value: object) -> str:
    """Return a value as JSON for a title; long ones are cut."""
    return shorten(as_json(value))


def shown(value: object) -> str:
    """Return a value as JSON, cut to `MAX_SHOWN` characters; of an object or array, only its type."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, str):
        return as_json(shorten(value))
    return shorten(as_json(value))
