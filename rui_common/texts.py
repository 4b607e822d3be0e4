"""Texts in messages: cut to a length, and numbers with their noun."""

import os
from collections.abc import Sequence

EMPTY_ARGUMENT = "an argument is empty, such as that of a variable without a value"
MAX_SHOWN = 40  # maximum length of a text from a document in a hint, a title or the message of a syntax error


def shorten(text: str, limit: int = MAX_SHOWN) -> str:
    """Return `text`, cut to `limit` characters, of which the last is an ellipsis then."""
    if len(text) <= limit:
        return text
    return text[: limit - 1] + "…"


def count_of(number: int, plural: str) -> str:
    """Return ``3 columns``, or ``1 column`` for one."""
    if number == 1:
        plural = plural.removesuffix("s")
    return f"{number:,} {plural}"


def no_document(value: object, types: str) -> TypeError:
    """Return the error about a value that is no document; `types` names what is, such as ``a str or bytes``."""
    way = ""
    if isinstance(value, os.PathLike):
        way = "; for a file pass path.read_bytes()"
    elif isinstance(value, dict):
        way = "; pass json.dumps(document)"
    return TypeError(f"the document is {types}, not {type(value).__name__}{way}")


def has_empty_argument(words: Sequence[str]) -> bool:
    """Return whether a command line has an empty argument, which is no value of an option.

    >>> has_empty_argument(["check", "--since", ""]), has_empty_argument(["check", "-", ""])
    (False, True)
    """
    befores = ["", *words]
    return any(not word and (before == "-" or before[:1] != "-") for before, word in zip(befores, words, strict=False))
