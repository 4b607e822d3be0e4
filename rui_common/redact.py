"""Remove credentials from URLs before they are shown or logged."""

from __future__ import annotations


def redact_userinfo(url: str) -> str:
    """`url` without user and password; it need not be a valid URL.

    In an invalid URL it is unknown where they end, so everything up to the last "@" is removed.
    """
    before, at, after = url.rpartition("@")
    scheme, separator, _ = before.partition("://")
    if separator:
        return f"{scheme}://***@{after}"
    return f"***@{after}" if at else url


def redact_all_userinfo(text: str) -> str:
    """Apply `redact_userinfo` to every URL among the words of a text."""
    return " ".join(redact_userinfo(word) if "://" in word else word for word in text.split(" "))
