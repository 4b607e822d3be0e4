"""What request headers say: media types, preferences, validators (RFC 9110). Pure functions on header values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

JSON = "application/json"
MARKDOWN = "text/markdown"
HTML = "text/html"

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105  a token of RFC 9110, section 5.6.2
_MEDIA_TYPE = re.compile(rf"({_TOKEN}/{_TOKEN})[ \t]*")
_PARAMETER = re.compile(rf';[ \t]*(?:({_TOKEN})=(?:({_TOKEN})|"((?:[^"\\]|\\.)*)"))?[ \t]*')
_ENTITY_TAG = re.compile(r'[ \t]*(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)|[ \t]*,')

Parameters = list[tuple[str, str]]


def parse_media_type(text: str) -> tuple[str, Parameters] | None:
    """A media type in lower case with its parameters (RFC 9110, section 8.3.1), or None if `text` is none."""
    text = text.strip(" \t")
    match = _MEDIA_TYPE.match(text)
    if match is None:
        return None
    parameters: Parameters = []
    at = match.end()
    while at < len(text):
        parameter = _PARAMETER.match(text, at)
        if parameter is None:
            return None
        if parameter[1] is not None:
            quoted = parameter[3]
            value = parameter[2] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
            parameters.append((parameter[1].lower(), value))
        at = parameter.end()
    return match[1].lower(), parameters


def is_json(content_type: str) -> bool:
    """Whether a Content-Type is JSON in UTF-8 (docs/decisions.md, section 4)."""
    parsed = parse_media_type(content_type)
    if parsed is None or parsed[0] != JSON:
        return False
    return all(value.lower() == "utf-8" for name, value in parsed[1] if name == "charset")


def prefers_markdown(accept: str) -> bool:
    """Whether an Accept header asks for Markdown rather than JSON."""
    return prefers(accept, MARKDOWN)


def prefers(accept: str, media_type: str) -> bool:
    """Whether an Accept header asks for `media_type` rather than JSON.

    It does when it gives that the higher quality, or the same with a range that fits it better:
    ``text/markdown, */*`` asks for Markdown, ``*/*`` does not.
    """
    wanted = _quality(accept, media_type)
    return wanted[0] > 0 and wanted > _quality(accept, JSON)


def _quality(accept: str, media_type: str) -> tuple[float, int]:
    """The quality that `accept` gives to `media_type`, and how well the range that says so fits it."""
    best: tuple[int, float] = (-1, 0.0)
    kind = media_type.partition("/")[0]
    for part in accept.split(","):
        parsed = parse_media_type(part)
        fits = {media_type: 2, f"{kind}/*": 1, "*/*": 0}.get(parsed[0], -1) if parsed else -1
        if parsed is not None and fits > best[0]:
            best = (fits, _weight(parsed[1]))
    return best[1], best[0]


def _weight(parameters: Parameters) -> float:
    text = dict(parameters).get("q", "1")
    return float(text) if re.fullmatch(r"[01](\.[0-9]{0,3})?", text) else 0.0


def names_entity_tag(if_none_match: Iterable[str], entity_tag: str) -> bool:
    """Whether If-None-Match names `entity_tag`, by weak comparison (RFC 9110, sections 8.8.3.2 and 13.1.2).

    Args:
        if_none_match: the values of all header lines of this name.
        entity_tag: the current one, strong, with its quotes.
    """
    text = ", ".join(if_none_match).strip(" \t")
    if text in ("*", entity_tag):
        return True
    at = 0
    while at < len(text):
        match = _ENTITY_TAG.match(text, at)
        if match is None:
            return False
        if match[1] == entity_tag:
            return True
        at = match.end()
    return False
