"""Texts that hold a RUI in another form: an answer of the service, and YAML, which is converted on request."""

import json
import re
from typing import NamedTuple

from rui_common.syntax.document import Document
from rui_common.syntax.root_keys import is_rui
from rui_openapi.reading.yaml_text import parse_yaml

MAX_CONVERTED = 1_000_000
"""Characters of a text that is read as YAML, and of the JSON that it is converted to: aliases may explode."""


class OtherFormat(NamedTuple):
    """A form other than a RUI in JSON: its name with an article, what to do, and whether it can be converted."""

    name: str
    advice: str
    can_convert: bool = False


_NORMALIZED = "normalizedRui"
"""The property of the answers about a RUI that contains it (sections 2.4 and 4.1 of the specification)."""

_YAML = re.compile(r"(\s*(#.*|---.*)?\n)*\s*(- )?[\w.\"'-]+:(\s|$)")
"""The start of a text in YAML. It is matched in the first 2,000 characters."""


def other_format_of(document: Document) -> OtherFormat | None:
    """Return the form of a document with errors, if it is an answer of the service or in YAML; else None."""
    root = document.value
    if isinstance(root, dict):
        if is_rui(root) or not is_rui(root.get(_NORMALIZED)):
            return None
        name = f"an answer of the API; its document is the value of `{_NORMALIZED}`"
        return OtherFormat(name, "It is not a RUI, and most faults below follow from that.")
    if root is None and _YAML.match(document.text[:2_000]):
        return _in_yaml(document.text)
    return None


def convert_yaml(text: str) -> str:
    """Return YAML as JSON.

    Raises:
        ValueError: the text is no YAML, or the result would be too long; with the reason as a sentence.
    """
    if len(text) > MAX_CONVERTED:
        raise ValueError(f"The text has more than {MAX_CONVERTED:,} characters.")
    try:
        value = parse_yaml(text)
    except ValueError as error:
        raise ValueError(f"The text cannot be read as YAML: {error}.") from None
    parts: list[str] = []
    length = 0
    try:
        for part in json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2).iterencode(value):
            parts.append(part)
            length += len(part)
            if length > MAX_CONVERTED:
                break
    except ValueError:
        raise ValueError("The text contains itself by an alias, or a number that JSON does not have.") from None
    if length > MAX_CONVERTED:
        raise ValueError(f"The JSON would have more than {MAX_CONVERTED:,} characters.")
    return "".join(parts)


def _in_yaml(text: str) -> OtherFormat | None:
    if len(text) > MAX_CONVERTED:
        return OtherFormat("YAML", "A RUI is a JSON document.")
    try:
        root = parse_yaml(text)
    except ValueError:
        return None
    if is_rui(root):
        return OtherFormat("a RUI in YAML", "A RUI is written in JSON. Comments are not converted.", can_convert=True)
    if isinstance(root, dict | list):
        return OtherFormat("YAML", "A RUI is a JSON document.")
    return None
