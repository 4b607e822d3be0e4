"""JSON's grammar as a table, for the recovering parser and its look-ahead."""

from rui_common.syntax.recovery.tokens import TokenKind

ROOT = ""  # The kind of the level around the root value. The other levels are of kind `{` or `[`.
NO_VALUE = "?"  # In the marks of a repair, the missing value of a property
CLOSERS = {"{": "}", "[": "]"}
MARKS = frozenset("{}[],:")
MARK_NAMES = {",": "comma", ";": "semicolon", ":": "colon"}
# Marks of other languages and keyboards; opening quotes with the closing ones that fit.
_DOUBLE = '\u201c\u201d\u201e\u201f\u2033\uff02"'
_SINGLE = "'\u2018\u2019\u201a\u201b\u2032"
CLOSING_QUOTES = {
    **dict.fromkeys(_DOUBLE[:-1], _DOUBLE), **dict.fromkeys(_SINGLE, _SINGLE), "`": "`", "\xb4": "\xb4",
    "\xab": "\xbb", "\xbb": "\xab\xbb", "\u2039": "\u203a", "\u203a": "\u2039\u203a",
    "\u300c": "\u300d", "\u300e": "\u300f",
}  # fmt: skip
CLOSING_DOUBLE_QUOTES = _DOUBLE
QUOTES = frozenset('"'.join((*CLOSING_QUOTES, *CLOSING_QUOTES.values())))
OTHER_COLON = r"(?::=|=>?|\uff1a)(?!=)"
OTHER_COMMA = r"[;\uff0c\u3001\uff1b\u060c\u061b]"
_MEMBER = rf"[,\"{''.join(CLOSING_QUOTES)}{{}}\[\]\r\n]|[\w$]{{1,60}}[ \t]*[:=\uff1a]|\Z"
# A word may contain such a comma, unless a member or the end follows it.
COMMA_AFTER_WORD = rf"{OTHER_COMMA}{{1,9}}(?=[ \t]*(?:{_MEMBER}))"


class State:
    """The next token that a level expects."""

    FIRST = "first member or end"
    NEXT = "member"
    COLON = "colon"
    VALUE = "value of a property"
    AFTER = "comma or end"


class Action:
    """The effect of a token that the grammar accepts."""

    KEY = "key"
    VALUE = "value"
    OPEN = "open"
    CLOSE = "close"
    COLON = "colon"
    COMMA = "comma"
    END = "end"


_VALUES = {TokenKind.STRING: Action.VALUE, TokenKind.VALUE: Action.VALUE, "{": Action.OPEN, "[": Action.OPEN}
_KEYS = {TokenKind.NAME: Action.KEY, TokenKind.STRING: Action.KEY}
_RULES: dict[tuple[str, str], dict[str, str]] = {
    ("{", State.FIRST): {**_KEYS, "}": Action.CLOSE},
    ("{", State.NEXT): _KEYS,
    ("{", State.COLON): {":": Action.COLON},
    ("{", State.VALUE): {**_VALUES, NO_VALUE: Action.VALUE},
    ("{", State.AFTER): {",": Action.COMMA, "}": Action.CLOSE},
    ("[", State.FIRST): {**_VALUES, "]": Action.CLOSE},
    ("[", State.NEXT): _VALUES,
    ("[", State.AFTER): {",": Action.COMMA, "]": Action.CLOSE},
    (ROOT, State.FIRST): _VALUES,
    (ROOT, State.AFTER): {TokenKind.END: Action.END},
}
ACCEPTED = {
    (level_kind, state, token_kind): action
    for (level_kind, state), actions in _RULES.items()
    for token_kind, action in actions.items()
}
"""(kind of the level, state, kind of the token) → action. Other tokens are errors."""

MISSING_MARKS = {State.COLON: f":{NO_VALUE}", State.VALUE: NO_VALUE}  # What completes a property, by state
STATES = {
    Action.KEY: State.COLON,
    Action.VALUE: State.AFTER,
    Action.OPEN: State.FIRST,
    Action.CLOSE: State.AFTER,
    Action.COLON: State.VALUE,
    Action.COMMA: State.NEXT,
}
"""action → the state after it; of the new level after OPEN, of the outer level after CLOSE."""
