"""Tokens, and JSON's grammar as a table, for the recovering parser and its look-ahead."""

from dataclasses import dataclass

from rui_common.syntax.errors import SyntaxFault

ROOT = ""  # The kind of the level around the root value. The other levels are of kind `{` or `[`.
NO_VALUE = "?"  # In the marks of a repair, the missing value of a property
CLOSERS = {"{": "}", "[": "]"}
MARKS = frozenset("{}[],:")


class TokenKind:
    """The kinds of tokens besides the six marks ``{ } [ ] , :``, each of which is a kind of its own."""

    STRING = "string"
    NAME = "name"  # A string or word that is followed by a colon
    VALUE = "value"  # Any other value, including a valid object or array as a whole
    PARENTHESIS = ")"  # A round bracket, which may be meant as another one
    END = "end"
    NOISE = ""  # A stray character, which is skipped and never returned


@dataclass(slots=True, eq=False)
class Token:
    """One token."""

    kind: str  # a mark or a `TokenKind`
    start: int
    end: int
    value: object = None  # the value of a string or literal
    errors: tuple[SyntaxFault, ...] = ()  # its errors, and those of comments and stray characters before it
    is_word: bool = False  # a word without quotes, or a quote without a word: perhaps meant as another token

    @property
    def is_quote(self) -> bool:
        """Whether it is a quote without a string, which may be meant as another token."""
        return self.is_word and self.value == ""


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
