"""The snippet syntax of LSP: ``${1:text}`` is a tab stop with a default, ``${2|a,b|}`` one with choices."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.editing.snippets import Snippet


def to_lsp(snippet: Snippet) -> str:
    """Write a snippet in LSP's syntax; tab stops are numbered in text order."""
    parts = []
    number = 0
    for part in snippet.parts:
        if isinstance(part, str):
            parts.append(_escape(part, "$\\"))
        elif part.is_final:
            parts.append("$0")
        else:
            number += 1
            if part.choices:
                choices = ",".join(_escape(choice, "$}\\,|") for choice in part.choices)
                parts.append(f"${{{number}|{choices}|}}")
            elif part.default:
                parts.append(f"${{{number}:{_escape(part.default, '$}' + chr(92))}}}")
            else:
                parts.append(f"${number}")
    return "".join(parts)


def _escape(text: str, special: str) -> str:
    return "".join("\\" + character if character in special else character for character in text)
