"""Text in LSP's snippet syntax."""

import re

STOP = re.compile(r"\$(?:(\d+)|\{(\d+):((?:[^\\}]|\\.)*)\}|\{(\d+)\|((?:[^\\,|]|\\.)*)(?:,(?:[^\\|]|\\.)*)?\|\})")


def accept_defaults(snippet: str) -> str:
    """Return the text with the default at every tab stop. Stops of the same number have the same text."""
    defaults: dict[str, str] = {}

    def text_of(match: re.Match[str]) -> str:
        number = match[1] or match[2] or match[4]
        return defaults.setdefault(number, re.sub(r"\\(.)", r"\1", match[3] or match[5] or ""))

    return STOP.sub(text_of, snippet)
