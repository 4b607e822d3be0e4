"""Tokens of a broken text."""

from dataclasses import dataclass

from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.spans import Span


class TokenKind:
    """The kinds of tokens besides the six marks ``{ } [ ] , :``, each of which is a kind of its own."""

    STRING = "string"
    NAME = "name"  # A string or word that is followed by a colon
    VALUE = "value"  # Any other value, including a valid object or array as a whole
    PARENTHESIS = "()"  # A round bracket, which may be meant as another one
    END = "end"
    NOISE = ""  # A stray character, which is skipped and never returned


@dataclass(slots=True, eq=False)
class Token:
    """One token."""

    kind: str  # a mark or a `TokenKind`
    start: int
    end: int
    value: object = None  # the value of a string or literal; a mark of another language as it is written
    errors: tuple[SyntaxFault, ...] = ()  # its errors, and those of comments and stray characters before it
    is_word: bool = False  # a word without quotes, or a quote without a word: perhaps meant as another token

    @property
    def span(self) -> Span:
        """The range of the token."""
        return Span(self.start, self.end)

    @property
    def is_quote(self) -> bool:
        """Whether it is a quote without a string, which may be meant as another token."""
        return self.is_word and self.value == ""
