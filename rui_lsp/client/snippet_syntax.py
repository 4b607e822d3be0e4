"""The snippet syntax of LSP: ``${1:text}`` is a tab stop with a default, ``${2|a,b|}`` one with choices.

Tab stops have braces, so that a digit may follow them.
"""

from __future__ import annotations

from rui_common.editing.snippets import Snippet, TabStop

_IN_TEXT = "\\$"
_IN_DEFAULT = "\\$}"
_IN_CHOICE = "\\,|"
"""The characters that a backslash escapes. VS Code shows the backslash before any other character."""


def to_lsp(snippet: Snippet, *, with_choices: bool = True) -> str:
    """Write a snippet in LSP's syntax; tab stops are numbered in text order.

    Stops of the same name have the same number, so that the client changes them together.

    Args:
        snippet: the snippet.
        with_choices: whether the client shows the first of several choices until the author picks one. For another
            client, that text is the default of an ordinary tab stop.
    """
    parts: list[str] = []
    numbers: dict[object, int] = {}
    for part in snippet.parts:
        if isinstance(part, str):
            parts.append(_escape(part, _IN_TEXT))
        elif part.is_final:
            parts.append("${0}")
        else:
            key = len(parts) if part.symbol is None else (part.symbol, part.default)
            is_mirror = key in numbers
            number = numbers.setdefault(key, len(numbers) + 1)
            parts.append(f"${{{number}}}" if is_mirror else _tab_stop(part, number, with_choices=with_choices))
    return "".join(parts)


def _tab_stop(stop: TabStop, number: int, *, with_choices: bool) -> str:
    # The syntax has no empty choice, and one choice is none.
    choices = [_escape(choice, _IN_CHOICE) for choice in stop.choices if choice]
    if with_choices and stop.default and len(choices) > 1:
        return f"${{{number}|{','.join(choices)}|}}"
    if stop.default:
        return f"${{{number}:{_escape(stop.default, _IN_DEFAULT)}}}"
    return f"${{{number}}}"


def _escape(text: str, special: str) -> str:
    return "".join("\\" + character if character in special else character for character in text)
