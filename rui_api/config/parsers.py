"""Parsers of settings: text → value. Each raises ValueError with a description of valid values for the operator."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_network
from urllib.parse import urlsplit

from rui_api.store.url import check_store
from rui_common.redact import redact_userinfo

MAX_PORT = 65_535
MAX_QUOTED = 80
"""Characters of an invalid value in a message."""

_NUMBER = re.compile(r"[0-9]+", re.ASCII)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\]", re.ASCII)
_NOT_IN_BASE_URL = re.compile(r'[ "<>\\^`{|}@?#]')


def address(text: str) -> str:
    if not text:
        raise ValueError("an address is needed, such as 127.0.0.1, 0.0.0.0 or ::")
    return text


def port(text: str) -> int:
    if not _NUMBER.fullmatch(text) or len(text) > 9 or int(text) > MAX_PORT:
        raise ValueError(f"a port is a number from 0 to {MAX_PORT}, not {_quote(text)}")
    return int(text)


def number(lowest: int, highest: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not _NUMBER.fullmatch(text) or len(text) > 18 or not lowest <= int(text) <= highest:
            raise ValueError(f"a whole number from {lowest} to {highest} is needed, not {_quote(text)}")
        return int(text)

    return parse


def choice(*values: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in values:
            raise ValueError(f"one of {', '.join(values)} is needed, not {_quote(text)}")
        return text

    return parse


def switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError(f"on or off is needed, not {_quote(text)}")
    return text == "on"


def file_path(text: str) -> str:
    if not text or "\0" in text:
        raise ValueError("the path of a file is needed")
    return text


def store(text: str) -> str:
    check_store(text)
    return text


def base_url(text: str) -> str:
    """Parse a URL to which paths can be appended; the result has no slash at its end."""
    error = ValueError(f"a base URL is like https://rui.example.org, without query or fragment, not {_quote(text)}")
    if not text.isascii() or not text.isprintable() or _NOT_IN_BASE_URL.search(text):
        raise error
    try:
        parts = urlsplit(text)
        is_usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        raise error from None
    if not is_usable:
        raise error
    return text.rstrip("/")


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def origins(text: str) -> tuple[str, ...]:
    """Parse a list of origins as browsers send them, or ``*``."""
    values = _split(text)
    for origin in values:
        parts = urlsplit(origin)
        is_origin = parts.scheme and parts.netloc and origin == f"{parts.scheme}://{parts.netloc}"
        if origin != "*" and (not is_origin or "@" in origin):
            raise ValueError(
                f"an origin is like https://app.example.org, without a slash at its end, not {_quote(origin)}"
            )
    return values


def hosts(text: str) -> tuple[str, ...]:
    """Parse a list of host names, or ``*``. An empty list would refuse every request, so it is an error."""
    values = _split(text.lower())
    if not values:
        raise ValueError("at least one host is needed, or * for all of them")
    for host in values:
        if host != "*" and not _HOST.fullmatch(host):
            raise ValueError(f"a host is like rui.example.org, without a port, not {_quote(host)}")
    return values


def networks(text: str) -> tuple[str, ...]:
    values = _split(text)
    for network in values:
        try:
            if network != "*":
                ip_network(network)
        except ValueError:
            raise ValueError(f"an address or network is like 10.0.0.1 or 10.0.0.0/8, not {_quote(network)}") from None
    return values


def _quote(text: str) -> str:
    """Quote an invalid value in one short line without credentials."""
    text = redact_userinfo(text)
    if len(text) > MAX_QUOTED:
        text = f"{text[:MAX_QUOTED]}…"
    return repr(text)
