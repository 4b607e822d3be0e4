"""Texts in messages: cut to a length, and numbers with their noun."""

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
