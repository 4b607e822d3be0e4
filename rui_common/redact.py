"""Addresses as they are shown to people and in logs: what stands before an "@" may be a password."""

from __future__ import annotations


def without_user(url: str) -> str:
    """A URL that somebody gave, right or wrong, without user and password.

    As nobody knows where they end in a wrong one, everything up to the last "@" is left out.
    """
    before, at, after = url.rpartition("@")
    scheme, separator, _ = before.partition("://")
    return f"{scheme}://***@{after}" if separator else f"***@{after}" if at else url


def without_users(text: str) -> str:
    """A text with URLs among its words, each of them `without_user`."""
    return " ".join(without_user(word) if "://" in word else word for word in text.split(" "))
