"""Addresses as they are shown to people and in logs: what stands before an "@" may be a password."""

from __future__ import annotations


def redact_userinfo(url: str) -> str:
    """A URL that somebody gave, right or wrong, without user and password.

    As nobody knows where they end in a wrong one, everything up to the last "@" is left out.
    """
    before, at, after = url.rpartition("@")
    scheme, separator, _ = before.partition("://")
    return f"{scheme}://***@{after}" if separator else f"***@{after}" if at else url


def redact_all_userinfo(text: str) -> str:
    """A text with URLs among its words, each of them `redact_userinfo`."""
    return " ".join(redact_userinfo(word) if "://" in word else word for word in text.split(" "))
