"""The faults of one token: their words and edits, one function per kind."""

from __future__ import annotations

import json
import re

from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.spans import Edit, Span
from rui_common.vocabulary.rules import MAX_DEPTH

MAX_DISPLAY = 40
"""Maximum length of a part of the text in a message."""
ZERO_WIDTH = "\ufeff\u200b"

_MAX_REPLACEMENT = 80
_MAX_UNEQUAL_REPLACEMENT = 1_000
_ABBREVIATED_END = 24
_LINE_END = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")
_DECIMAL = re.compile(r"\+?-?(?!0[0-9])[0-9]*\.?[0-9]*")


def shorten(text: str) -> str:
    """Cut a text to `MAX_DISPLAY` characters for a message."""
    if len(text) <= MAX_DISPLAY:
        return text
    return text[: MAX_DISPLAY - 1] + "…"


def _command(new: str, old: str) -> str:
    """Return the command to write `new` instead of `old`, both abbreviated if they are long."""
    differ_in_quotes_only = new[1:-1] in {old, old[1:-1]}
    if len(old) > _MAX_UNEQUAL_REPLACEMENT or (len(old) > _MAX_REPLACEMENT and differ_in_quotes_only):
        return f"Write {_abbreviate(new)} instead of {_abbreviate(old)}"
    return f"Write {new} instead of {old}"


def _abbreviate(text: str) -> str:
    if len(text) <= _MAX_REPLACEMENT:
        return text
    return f"{text[:_ABBREVIATED_END]}…{text[-_ABBREVIATED_END:]}"


# Between tokens -------------------------------------------------------------------------------------------------------


def comment(text: str, span: Span) -> SyntaxFault:
    """A comment."""
    end = "# to the end of the line"
    if text.startswith("//", span.start):
        end = "// to the end of the line"
    elif text.startswith("/*", span.start):
        end = "/* to */"
    return SyntaxFault(
        span, FaultKind.COMMENT, "Comments are not allowed",
        f"Remove the comment, from {end}; a description belongs in a property.",
        "Remove the comment", (_removal(text, span),),
    )  # fmt: skip


def ellipsis(text: str, span: Span) -> SyntaxFault:
    """An ellipsis in place of a part of the document."""
    hint = f"Remove the {text[slice(*span)]}, or write out the omitted part."
    edit = _removal(text, span)
    return SyntaxFault(
        span, FaultKind.ELLIPSIS, "Unexpected ellipsis", hint, "Remove the ellipsis", (edit,), is_safe=True
    )


def _removal(text: str, span: Span) -> Edit:
    """Return the removal of a range, with the blanks before it, or with its line if it is alone there."""
    line = max(text.rfind(end, 0, span.start) for end in "\r\n") + 1
    start = line + len(text[line : span.start].rstrip(" \t"))
    line_end = _LINE_END.match(text, span.end)
    if start > line:
        return Edit(Span(start, span.end), "")
    if line_end is None:
        return Edit(Span(line, span.end), "")
    return Edit(Span(line, line_end.end()), "")


def other_space(text: str, span: Span) -> SyntaxFault:
    """White space that JSON does not know."""
    characters = text[slice(*span)]
    message = f"Unexpected character U+{ord(characters[0]):04X}"
    title = "Write a plain space"
    hint = f"{title} instead of it."
    new = " " * len(characters)
    if characters[0] in ZERO_WIDTH:
        names = [f"U+{ord(character):04X}" for character in dict.fromkeys(characters)]
        title = "Remove the character"
        hint = f"Remove every {' and '.join(names)}."
        new = ""
    return SyntaxFault(span, FaultKind.SPACE, message, hint, title, (Edit(span, new),), is_safe=True)


def foreign_mark(span: Span, old: str, mark: str, name: str) -> SyntaxFault:
    """A colon or comma that other languages write differently."""
    message = f"Expected {name} instead of {old}"
    hint = f"Write {mark} instead of {old}."
    edit = Edit(span, mark)
    return SyntaxFault(span, FaultKind.FOREIGN_MARK, message, hint, f"Write {mark}", (edit,), is_safe=True)


def too_deep(span: Span) -> SyntaxFault:
    """An object or array beyond the maximum depth."""
    message = f"Nested deeper than {MAX_DEPTH} levels"
    return SyntaxFault(span, FaultKind.TOO_DEEP, message, "What is inside belongs further up.")


# Names and strings ----------------------------------------------------------------------------------------------------


def name_without_quotes(span: Span, name: str) -> SyntaxFault:
    """A property name without quotes."""
    shown = name[:MAX_DISPLAY]
    quoted = f'"{shown}"'
    return SyntaxFault(
        span, FaultKind.NAME_WITHOUT_QUOTES, f"Property names need double quotes: {shown}",
        f"{_command(quoted, shown)}.", f"Write {quoted}", (Edit(span, json.dumps(name, ensure_ascii=False)),),
        is_safe=name.replace("_", "").replace("-", "").isalnum(), group="name",
    )  # fmt: skip


def foreign_quotes(span: Span, old: str, new: str) -> SyntaxFault:
    """A string in single, typographic or other quotes."""
    group = old[0] + old[-1] if old[1:-1] == new[1:-1] else ""
    hint = f"{_command(new, old)}."
    return SyntaxFault(span, FaultKind.FOREIGN_QUOTES, "Strings are written in double quotes", hint, group=group)


def no_opening_quote(span: Span, content: str) -> SyntaxFault:
    """A string without its opening quote."""
    hint = f'Put " before {shorten(content)}.'
    return SyntaxFault(span, FaultKind.NO_OPENING_QUOTE, 'A string must begin with "', hint, is_doubtful=True)


def no_closing_quote(span: Span, content: str) -> SyntaxFault:
    """A string without its closing quote."""
    last = content
    if len(content) > MAX_DISPLAY:
        last = "…" + content[1 - MAX_DISPLAY :]
    hint = f'Put " after {last}.'
    if not content:
        hint = 'Write "" instead of ".'
    message = 'This string is never closed: expected "'
    return SyntaxFault(span, FaultKind.NO_CLOSING_QUOTE, message, hint, is_doubtful=True)


def cut_string(span: Span) -> SyntaxFault:
    """A string that the text ends within."""
    message = 'The text ends within a string: expected "'
    return SyntaxFault(span, FaultKind.CUT_STRING, message, 'Add " to close the string.', is_doubtful=True)


def inner_quote(span: Span, more: int) -> SyntaxFault:
    """Quotes in a string without a backslash, and the number of those after the first."""
    message = "This quote ends the string too early"
    hint = f'Write \\" instead of this quote{_and_next(more)}.'
    return SyntaxFault(span, FaultKind.INNER_QUOTE, message, hint, is_doubtful=True)


def line_break(span: Span, more: int) -> SyntaxFault:
    """A string over several lines, and the number of line breaks after the first."""
    hint = f"Write \\n instead of the line break at the end of this line{_and_next(more)}."
    return SyntaxFault(span, FaultKind.LINE_BREAK, "A string must end on its line", hint, is_doubtful=True)


def _and_next(count: int) -> str:
    if count == 0:
        return ""
    if count == 1:
        return " and of the next one"
    return f" and of the next {count}"


def unknown_escape(span: Span, escape: str) -> SyntaxFault:
    """A backslash that begins no escape."""
    hint = "Write \\\\ instead of this backslash."
    if escape == "\\u":
        hint = "Write \\\\ instead of this backslash, or four hexadecimal digits after \\u."
    return SyntaxFault(span, FaultKind.ESCAPE, f"Unknown escape {escape}", hint)


def control_character(span: Span, character: str) -> SyntaxFault:
    """A control character in a string."""
    code = ord(character)
    escape = {9: "\\t", 10: "\\n", 13: "\\r"}.get(code, f"\\u{code:04x}")
    message = f"Control character U+{code:04X} in a string"
    return SyntaxFault(span, FaultKind.CONTROL_CHARACTER, message, f"Write {escape} instead of it.")


def half_of_pair(span: Span, half: str) -> SyntaxFault:
    """Half of a surrogate pair in a string."""
    shown = half if half.startswith("\\") else "it"
    hint = f"Write \\ufffd instead of {shown}, or both halves of the pair."
    return SyntaxFault(span, FaultKind.SURROGATE, "Half of a surrogate pair in a string", hint)


def with_string(fault: SyntaxFault, span: Span, old: str, value: str) -> SyntaxFault:
    """Return the fault of a string with the edit that writes its value as JSON.

    The edit is safe if only the quotes change, or control characters are escaped.
    """
    new = json.dumps(value, ensure_ascii=False)
    is_safe = old[1:-1] == value and not {*value} & {'"', "\\", *old[:1], *old[-1:]}
    return fault._replace(title=f"Write {shorten(new)}", edits=(Edit(span, new),), is_safe=is_safe)


# Words and numbers ----------------------------------------------------------------------------------------------------


def foreign_literal(span: Span, phrase: str, literal: str) -> SyntaxFault:
    """A literal of another language."""
    return SyntaxFault(
        span, FaultKind.FOREIGN_LITERAL, f"Unknown value {phrase}, did you mean {literal}?",
        f"{_command(literal, phrase)}, or put the word in double quotes.", f"Write {literal}", (Edit(span, literal),),
        phrase.lower() in {"true", "false", "null", "none"},
    )  # fmt: skip


def stray_character(span: Span, character: str) -> SyntaxFault:
    """A character that begins no token."""
    shown = character if character.isprintable() else f"U+{ord(character[0]):04X}"
    message = f"Unexpected character {shown}"
    title = "Remove it"
    return SyntaxFault(span, FaultKind.CHARACTER, message, f"{title}.", title, (Edit(span, ""),), is_doubtful=True)


def unknown_value(span: Span, phrase: str, value: str) -> SyntaxFault:
    """A word or phrase without quotes, and the string that it is read as."""
    quoted = json.dumps(phrase, ensure_ascii=False)
    new = json.dumps(value, ensure_ascii=False)
    return SyntaxFault(
        span, FaultKind.UNKNOWN_VALUE, f"Unknown value {shorten(phrase)}",
        f"{_command(quoted, phrase)}, if it is meant as text.", f"Write {shorten(new)}", (Edit(span, new),),
        phrase.replace("_", "").replace("-", "").isalnum(), is_doubtful=len(phrase) == 1,
        group="text" if quoted[1:-1] == phrase else "",
    )  # fmt: skip


def huge_number(span: Span, value: float) -> SyntaxFault:
    """A number that a double cannot hold, and the double that it is read as."""
    return SyntaxFault(
        span, FaultKind.NUMBER, "This number is too large for a double",
        "Write a number up to 1.7e308, or put it in double quotes.", f"Write {value}", (Edit(span, json.dumps(value)),),
    )  # fmt: skip


def invalid_number(span: Span, digits: str, corrected: str | None) -> SyntaxFault:
    """A number that JSON writes differently; it is read as a text if it is not clear how."""
    new = json.dumps(digits) if corrected is None else corrected
    hint = f"{_command(new, digits)}."
    if corrected is None:
        hint = f"{_command(new, digits)}, or a number such as 12.5."
    removed = digits.replace(new, "…")
    has_other_word = removed == digits or re.search(r"\w", removed) is not None
    return SyntaxFault(
        span, FaultKind.NUMBER, f"Invalid number {shorten(digits)}", hint, f"Write {shorten(new)}", (Edit(span, new),),
        is_safe=corrected is not None and _DECIMAL.fullmatch(digits) is not None,
        is_doubtful='"' in digits,
        group="" if has_other_word else removed,
    )  # fmt: skip
