"""Formats of other systems that people paste: their names, and the conversion of a RUI in YAML.

A document of another format has hundreds of errors. Its name says more than they do.
"""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from rui_common.json_values import JsonObject
from rui_common.syntax.document import Document
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_openapi.reading.yaml_text import parse_yaml

MAX_CONVERTED = 1_000_000
"""Characters of a text that is read as YAML, and of the JSON that it is converted to: aliases may explode."""


class OtherFormat(NamedTuple):
    """A format other than a RUI in JSON: its name with an article, what to do, and whether it can be converted."""

    name: str
    advice: str
    can_convert: bool = False


_FORMATS: Mapping[tuple[str, ...], str] = {
    ("specId", "rui"): "an answer of the API with a stored RUI; its document is the value of `rui`",
    ("valid", "normalizedRui"): "an answer of the API; its document is the value of `normalizedRui`",
    ("panels", "schemaVersion"): "a Grafana dashboard",
    ("dashboard", "meta"): "a Grafana dashboard",
    ("openapi", "info"): "an OpenAPI description",
    ("swagger", "paths"): "an OpenAPI description (Swagger 2.0)",
    ("asyncapi",): "an AsyncAPI description",
    ("$schema", "properties"): "a JSON Schema",
    ("$defs",): "a JSON Schema",
    ("info", "item"): "a Postman collection",
    ("lowdefy",): "a Lowdefy app",
    ("exportedApplication", "pageList"): "an Appsmith app",
    ("apiVersion", "kind"): "a Kubernetes resource",
}
"""Formats in JSON or YAML by properties of their root."""

_YAML = re.compile(r"(\s*(#.*|---.*)?\n)*\s*(- )?[\w.\"'-]+:(\s|$)")
"""The start of a text in YAML. It is matched in the first 2,000 characters."""


def other_format_of(document: Document) -> OtherFormat | None:
    """Return the format of a document with errors, if it is another one than a RUI in JSON; else None."""
    if isinstance(document.value, dict):
        name = _name_of(document.value)
        if VOCABULARY.is_rui(document.value) or not name:
            return None
        return OtherFormat(name, "It is not a RUI, and most faults below follow from that.")
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
    if VOCABULARY.is_rui(root):
        return OtherFormat("a RUI in YAML", "A RUI is written in JSON. Comments are not converted.", can_convert=True)
    name = ""
    if isinstance(root, dict):
        name = _name_of(root)
    if name:
        return OtherFormat(f"{name}, in YAML", "It is not a RUI.")
    if isinstance(root, dict | list):
        return OtherFormat("YAML", "A RUI is a JSON document.")
    return None


def _name_of(root: JsonObject) -> str:
    """Return the name of a format; ``""`` if it is unknown."""
    return next((name for keys, name in _FORMATS.items() if root.keys() >= {*keys}), "")
