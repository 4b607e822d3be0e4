"""Media types and content negotiation (RFC 9110). Pure functions of header values."""

from __future__ import annotations

import re
from typing import NamedTuple

JSON = "application/json"
MARKDOWN = "text/markdown"
HTML = "text/html"

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105  a token of RFC 9110, section 5.6.2
_MEDIA_TYPE = re.compile(rf"({_TOKEN}/{_TOKEN})[ \t]*")
_PARAMETER = re.compile(rf';[ \t]*(?:({_TOKEN})=(?:({_TOKEN})|"((?:[^"\\]|\\.)*)"))?[ \t]*')


class MediaType(NamedTuple):
    """A parsed media type.

    Attributes:
        name: type and subtype in lower case.
        parameters: names in lower case, and values.
    """

    name: str
    parameters: list[tuple[str, str]]


def parse_media_type(text: str) -> MediaType | None:
    """Parse a media type (RFC 9110, section 8.3.1); return None if it is invalid."""
    text = text.strip(" \t")
    match = _MEDIA_TYPE.match(text)
    if match is None:
        return None
    parameters: list[tuple[str, str]] = []
    position = match.end()
    while position < len(text):
        parameter = _PARAMETER.match(text, position)
        if parameter is None:
            return None
        name, value, quoted = parameter.groups()
        if name is not None:
            if quoted is not None:
                value = re.sub(r"\\(.)", r"\1", quoted)
            parameters.append((name.lower(), value))
        position = parameter.end()
    return MediaType(match[1].lower(), parameters)


def is_json(content_type: str) -> bool:
    """Return whether a Content-Type is JSON in UTF-8 (docs/decisions.md, section 4)."""
    media_type = parse_media_type(content_type)
    if media_type is None or media_type.name != JSON:
        return False
    return all(value.lower() == "utf-8" for name, value in media_type.parameters if name == "charset")


def prefers(accept: str, media_type: str) -> bool:
    """Return whether an Accept header prefers `media_type` to JSON.

    It does if it gives `media_type` the higher quality, or the same quality by a more specific range:
    ``text/markdown, */*`` prefers Markdown, ``*/*`` does not.
    """
    preference = _preference(accept, media_type)
    return preference.quality > 0 and preference > _preference(accept, JSON)


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether an Accept-Encoding header accepts gzip, and does not prefer a response without a coding."""
    qualities = {"identity": 0.0}
    for part in accept_encoding.split(","):
        coding, *parameters = [word.strip(" \t") for word in part.split(";")]
        quality = "1"
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip(" \t").lower() == "q":
                quality = value.strip(" \t")
        qualities[coding.lower().removeprefix("x-")] = _parse_quality(quality)
    gzip = qualities.get("gzip", qualities.get("*", 0.0))
    return gzip > 0 and gzip >= qualities["identity"]


class _Preference(NamedTuple):
    quality: float
    specificity: int


def _preference(accept: str, media_type: str) -> _Preference:
    """Return the preference that the most specific matching range of `accept` gives to `media_type`."""
    specificities = {media_type: 2, f"{media_type.partition('/')[0]}/*": 1, "*/*": 0}
    best = _Preference(0.0, -1)
    for part in accept.split(","):
        media_range = parse_media_type(part)
        if media_range is None:
            continue
        specificity = specificities.get(media_range.name, -1)
        if specificity > best.specificity:
            best = _Preference(_quality(media_range), specificity)
    return best


def _quality(media_range: MediaType) -> float:
    return _parse_quality(dict(media_range.parameters).get("q", "1"))


def _parse_quality(text: str) -> float:
    """Return a weight (RFC 9110, section 12.4.2), or 0 for any other text."""
    if re.fullmatch(r"[01](\.[0-9]{0,3})?", text):
        return float(text)
    return 0.0
