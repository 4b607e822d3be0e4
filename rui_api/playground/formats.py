"""Texts that hold a RUI in another form: JSON around it, and YAML, which is converted on request."""

import json
import re
from typing import NamedTuple

from rui_common.problems.operations import KeepOnly
from rui_common.syntax.root_keys import is_rui
from rui_common.validation.analysis import Analysis
from rui_openapi.reading.yaml_text import parse_yaml

MAX_CONVERTED = 1_000_000
"""Characters of a text that is read as YAML, and of the JSON that it is converted to: aliases may explode."""


class OtherFormat(NamedTuple):
    """A form other than a RUI in JSON: its name with an article, what to do, and whether it can be converted."""

    name: str
    advice: str
    can_convert: bool = False


_YAML = re.compile(r"(\s*(#.*|---.*)?\n)*\s*(- )?[\w.\"'-]+:(\s|$)")
"""The start of a text in YAML. It is matched in the first 2,000 characters."""


def other_format_of(analysis: Analysis) -> OtherFormat | None:
    """Return the form of a text with errors, if it is JSON around a RUI, or in YAML; else None."""
    document = analysis.document
    for suggestion in [one for finding in analysis.findings[:1] for one in finding.about_root]:
        for operation in suggestion.operations:
            if isinstance(operation, KeepOnly):
                name = f"JSON around a document, which is in {operation.place}"
                return OtherFormat(name, "Most faults below follow from that.")
    if document.value is None and _YAML.match(document.text[:2_000]):
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
