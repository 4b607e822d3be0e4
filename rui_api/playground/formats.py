"""Formats of other systems that people paste: their names, and the conversion of a RUI in YAML.

A document of another format has hundreds of errors. Its name says more than they do.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from typing import NamedTuple

from rui_common.json_values import JsonObject
from rui_common.syntax.document import Document
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_openapi.reading.yaml_text import parse_yaml

MAX_CONVERTED = 1_000_000
"""Characters of a text that is read as YAML or TOML, and of the JSON that YAML is converted to: aliases may explode."""

MIN_KEYS = 2
"""Number of the root's properties by which a document of another notation is a RUI."""


class OtherFormat(NamedTuple):
    """A format other than a RUI in JSON: its name with an article, what to do, and whether it can be converted."""

    name: str
    advice: str
    can_convert: bool = False


class _Known(NamedTuple):
    """A format in JSON or YAML: its name, and what its root object has."""

    name: str
    has: Callable[[JsonObject], bool]


def _keys(*names: str) -> Callable[[JsonObject], bool]:
    return lambda root: all(name in root for name in names)


def _text(key: str, part: str) -> Callable[[JsonObject], bool]:
    return lambda root: part in str(root.get(key, ""))


_KNOWN = (
    _Known("an answer of the API with a stored RUI; its document is the value of `rui`", _keys("specId", "rui")),
    _Known("an answer of the API; its document is the value of `normalizedRui`", _keys("valid", "normalizedRui")),
    _Known("a Grafana dashboard", _keys("panels", "schemaVersion")),
    _Known("a Grafana dashboard", _keys("dashboard", "meta")),
    _Known("an OpenAPI description", _keys("openapi", "info")),
    _Known("an OpenAPI description (Swagger 2.0)", _keys("swagger", "paths")),
    _Known("an AsyncAPI description", _keys("asyncapi")),
    _Known("a Vega chart", _text("$schema", "vega")),
    _Known("a JSON Schema", _text("$schema", "json-schema.org")),
    _Known("a JSON Schema", _keys("$defs")),
    _Known("an Adaptive Card", _text("type", "AdaptiveCard")),
    _Known("a Postman collection", _keys("info", "item")),
    _Known("a Lowdefy app", _keys("lowdefy")),
    _Known("an Appsmith app", _keys("exportedApplication", "pageList")),
    _Known("a Jupyter notebook", _keys("cells", "nbformat")),
    _Known("a Kubernetes resource", _keys("apiVersion", "kind")),
    _Known("a GitHub Actions workflow", _keys("jobs", "on")),
    _Known("a Docker Compose file", _keys("services")),
    _Known("an npm package", _keys("name", "dependencies")),
    _Known("an npm package", _keys("name", "scripts")),
    _Known("GeoJSON", _text("type", "FeatureCollection")),
    _Known("an HTTP archive (HAR)", _keys("log")),
    _Known("a Figma file", _keys("document", "components")),
)

_NOTATIONS = {
    "HTML": re.compile(r"\s*<(!doctype html|html|head|body|div)\b", re.IGNORECASE),
    "SVG": re.compile(r"\s*(<\?xml[^>]*>\s*)?<svg\b", re.IGNORECASE),
    "XML": re.compile(r"\s*<(\?xml|[a-z][\w:.-]*[\s>])", re.IGNORECASE),
    "JavaScript or TypeScript": re.compile(
        r"\s*(import\s.*\bfrom\b|export\s+(default|const|function)\b|(const|let)\s+\w+\s*[=:]|function\s+\w+\()"
    ),
    "Python": re.compile(r"\s*(def \w+\(|class \w+.*:\s*\n|from [\w.]+ import |import \w+\s*\n)"),
    "GraphQL": re.compile(r"\s*(type|query|mutation|schema|enum|input)\s+\w*\s*\{"),
    "SQL": re.compile(r"\s*(select\s.+\sfrom|create\s+table|insert\s+into)\b", re.IGNORECASE | re.DOTALL),
    "Markdown": re.compile(r"\s*#{1,6} \S.*\n(?!\s*[\w-]+:)"),
}  # fmt: skip
"""Notations by a pattern of their first words, which is matched in the first `MAX_START` characters."""

MAX_START = 2_000
_YAML = re.compile(r"(\s*(#.*|---.*)?\n)*\s*(- )?[\w.\"'-]+:(\s|$)")


def other_format_of(document: Document) -> OtherFormat | None:
    """Return the format of a document with errors, if it is another one than a RUI in JSON; else None."""
    if isinstance(document.value, dict):
        return _in_json(document.value)
    if document.value is not None or not document.text.strip():
        return None
    text = document.text
    start = text[:MAX_START]
    found = _in_yaml(text) if _YAML.match(start) else None
    if found is not None:
        return found
    for notation, pattern in _NOTATIONS.items():
        if pattern.match(start):
            return OtherFormat(notation, "A RUI is a JSON document.")
    if _is_toml(text):
        return OtherFormat("TOML", "A RUI is a JSON document.")
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


def _in_json(root: JsonObject) -> OtherFormat | None:
    if _is_rui(root):
        return None
    name = next((known.name for known in _KNOWN if known.has(root)), "")
    if not name:
        return None
    return OtherFormat(name, "It is not a RUI, and most faults below follow from that.")


def _in_yaml(text: str) -> OtherFormat | None:
    if len(text) > MAX_CONVERTED:
        return OtherFormat("YAML", "A RUI is a JSON document.")
    try:
        root = parse_yaml(text)
    except ValueError:
        return None
    if not isinstance(root, dict):
        return OtherFormat("YAML", "A RUI is a JSON document.") if isinstance(root, list) else None
    if _is_rui(root):
        return OtherFormat("a RUI in YAML", "A RUI is written in JSON. Comments are not converted.", can_convert=True)
    name = next((known.name for known in _KNOWN if known.has(root)), "")
    if name:
        return OtherFormat(f"{name}, in YAML", "It is not a RUI.")
    return OtherFormat("YAML", "A RUI is a JSON document.")


def _is_rui(root: JsonObject) -> bool:
    """Return whether an object has some of the properties of a RUI."""
    return sum(name in root for name in VOCABULARY.root.props) >= MIN_KEYS


def _is_toml(text: str) -> bool:
    if len(text) > MAX_CONVERTED or "=" not in text:
        return False
    try:
        return bool(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
