"""Where a broken string ends: its context decides which of several quotes closes it.

The value of a property ends before a bracket, the end of the line, or a comma and the next name. A name ends before a
colon. An element ends before any of these.
"""

import re
from itertools import islice

from rui_common.syntax.recovery.grammar import CLOSING_QUOTES, COMMA_AFTER_WORD, OTHER_COLON, OTHER_COMMA, QUOTES

# Limits of the search for the end of a string. They keep a line with thousands of quotes from taking quadratic time.
MAX_STRING = 2_000
MAX_QUOTES = 20
_MAX_NAME = 100

_COLON = rf"[ \t]*(?::|{OTHER_COLON})"
_OPENING = "".join(sorted(QUOTES))
_LITERAL = r"(?:true|false|null|None|True|False)\b"
_VALUE = rf"[ \t]*(?:[{_OPENING}{{\[\r\n0-9-]|\Z|&|{_LITERAL})"
_NAME = rf"""(?: "(?:[^"\\\r\n]|\\.){{0,{_MAX_NAME}}}"{_COLON}
    | [{"".join(CLOSING_QUOTES)}][^{_OPENING}\r\n]{{0,{_MAX_NAME}}}[{_OPENING}]{_COLON}
    | &[\#\w&;]{{1,{_MAX_NAME}}};{_COLON}
    | [\w$][\w$.-]{{0,{_MAX_NAME}}}+(?:[ ][\w$.-]{{1,{_MAX_NAME}}}+){{0,3}}+"?{_COLON}{_VALUE})"""
_COMMENT = r"(?://|/\*|\#)"
_PROPERTY = re.compile(rf'"(?![ \t])(?:[^"\\\r\n]|\\.){{0,{_MAX_NAME}}}"{_COLON}{_VALUE}')

AFTER_STRING = re.compile(
    rf"""[ \t]*(?: [,:{{}}\[\]\r\n=;\uff1a] | {COMMA_AFTER_WORD} | \Z | [ \t]// | /\*
    | "[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*" [ \t]*(?:[,:}}\]\r\n]|\Z)
    | (?:-?[0-9][0-9.eE+-]*|true|false|null) [ \t]*(?:[,}}\]\r\n]|\Z) )""",
    re.VERBOSE,
)
"""What may follow a string in a text with other errors, such as a missing comma."""

_AFTER_VALUE = re.compile(
    rf"""[ \t]*(?: }}[ \t]*(?:[,}}\]\r\n]|\Z|{_COMMENT}) | [\r\n] | \Z | [ \t]{_COMMENT}
    | (?:,|{OTHER_COMMA})[ \t]*(?: [\r\n}}\]] | \Z | {_COMMENT} | {_NAME} ) )""",
    re.VERBOSE,
)
"""What follows a string that is the value of a property."""

AFTER_CLOSING_QUOTE = re.compile(r"[ \t]*(?:[,:}\]\r\n]|\Z)")
_AFTER_OTHER_QUOTE = re.compile(rf"{AFTER_CLOSING_QUOTE.pattern}|[ \t]*(?:{OTHER_COLON}|{COMMA_AFTER_WORD})")

_ANOTHER = re.compile(rf"[ \t]+(?:[{_OPENING}](?=\w)|{_NAME})", re.VERBOSE)
"""Another string, or the next property, after a string and without a comma."""

_MORE_WORDS = re.compile(
    rf"""[ \t]*[,:;][ \t]*(?!{_NAME}|{_LITERAL}|-?[0-9.]+")  # no property, no number without its first quote
    [^\s{_OPENING}{{}}\[\],:][^"\\{{}}\[\]\r\n]{{0,{MAX_STRING}}}" (?={_AFTER_VALUE.pattern})""",
    re.VERBOSE,
)
"""Words after a quote, up to another quote with which a value may end."""


def is_end(text: str, end: int, *, is_value: bool) -> bool:
    """Return whether a string may end with the quote before `end`; `is_value` for the value of a property."""
    if AFTER_STRING.match(text, end) is None:
        return False
    return not (is_value and _MORE_WORDS.match(text, end))


def ends_string(text: str, end: int, *, is_value: bool) -> bool:
    """Return whether a string certainly ends with the quote before `end`."""
    after = _AFTER_VALUE if is_value else AFTER_CLOSING_QUOTE
    return after.match(text, end) is not None


def begins_property(text: str, quote: int) -> bool:
    """Return whether a quote begins the name of a property: a colon and a value follow it."""
    return _PROPERTY.match(text, quote) is not None


def find_end(text: str, start: int, quotes: re.Pattern[str], *, is_value: bool, is_other: bool = False) -> int | None:
    """Return the offset of the first quote from `start` on that certainly ends a string; None if there is none.

    `quotes` matches quotes, line ends and escapes. The search ends with the line, and where the next property begins.
    `is_other` is whether the quotes are those of another language, so that other marks may be, too.
    """
    after = _AFTER_VALUE
    if not is_value:
        after = _AFTER_OTHER_QUOTE if is_other else AFTER_CLOSING_QUOTE
    for match in islice(quotes.finditer(text, start, start + MAX_STRING), MAX_QUOTES):
        if match[0] in "\r\n":
            return None
        if match[0][0] == "\\":
            continue
        if after.match(text, match.end()) or (is_other and _ANOTHER.match(text, match.end())):
            return match.start()
        if match[0] == '"' and begins_property(text, match.start()):
            return None
    return None
