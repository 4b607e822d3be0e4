"""Remove credentials and control characters from text before it is shown or logged."""


def redact_userinfo(url: str) -> str:
    """Return `url` without user and password; it need not be a valid URL.

    In an invalid URL it is unknown where they end, so everything up to the last "@" is removed.
    """
    before, at, after = url.rpartition("@")
    scheme, separator, _ = before.partition("://")
    if separator:
        return f"{scheme}://***@{after}"
    if at:
        return f"***@{after}"
    return url


def redact_all_userinfo(text: str) -> str:
    """Apply `redact_userinfo` to every URL among the words of a text."""
    return " ".join(redact_userinfo(word) if "://" in word else word for word in text.split(" "))


def escape_control(text: str) -> str:
    """Replace every character that is not printable, so that `text` is one line and cannot control a terminal."""
    return "".join(character if character.isprintable() else "�" for character in text)
