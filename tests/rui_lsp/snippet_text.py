"""Text in LSP's snippet syntax."""

import re


def accept_defaults(snippet: str) -> str:
    """Return the text with the default at every tab stop."""
    stop = re.compile(r"\$(?:\d+|\{\d+:((?:[^\\}]|\\.)*)\}|\{\d+\|((?:[^\\,|]|\\.)*)(?:,(?:[^\\|]|\\.)*)?\|\})")
    return stop.sub(lambda match: re.sub(r"\\(.)", r"\1", match[1] or match[2] or ""), snippet)
