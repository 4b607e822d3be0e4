"""A tolerant lexer: whatever stands in a text becomes a token, with what is wrong with it.

Tokens are made where and when the parser asks, and kept, so that looking ahead and going back cost nothing twice.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from json import JSONDecodeError

from rui_common.syntax.reader import Scanner, depth_of, lone_surrogates, skip_space
from rui_common.syntax.recovery.budget import BROKEN_TOKEN_STEPS, TOKEN_STEPS
from rui_common.syntax.recovery.literals import NAME_WITHOUT_QUOTES, read_word
from rui_common.syntax.recovery.strings import (
    FOREIGN_QUOTES,
    Flaw,
    instead,
    read_foreign_string,
    read_string,
    string_without_opening_quote,
    writable,
)
from rui_common.vocabulary.rules import MAX_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.reader import Source
    from rui_common.syntax.recovery.budget import Budget

STRING, NAME, VALUE, END = "string", "name", "value", "end"
"""The kinds of tokens besides the six marks, which are their own kind. A NAME is a string, or a word, with a
colon behind it; a VALUE is any other value, also a sound object or array as a whole."""

_PLAIN = re.compile(
    r"""[ \t\n\r]*(?:
        ([{}\[\],:])
    |   ("[^"\\\x00-\x1f]*")(?=[ \t]*(?:[,:}\]\r\n]|\Z))
    |   (-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null)(?=[ \t\n\r,}\]]|\Z)
    )""",
    re.VERBOSE,
)
_PLAIN_STRING = re.compile(r'"[^"\\\x00-\x1f]*"')
COMMENT = re.compile(r"//[^\r\n]*|\#[^\r\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?")
_ELLIPSIS = re.compile(r"(?:\.\.\.|…)(?=[\s,\]}]|\Z)")
NO_WIDTH = "\ufeff\u200b"
_ODD_SPACE = re.compile(rf"[^\S \t\n\r]+|[{NO_WIDTH}]+")
_COLON = re.compile(r"[ \t\n\r]*(?::|=(?!=))")
_OTHER_MARK = re.compile(r"(:=|=>?)(?!=)|;")
# An object or array without another one in it.
_FLAT_CONTAINER = re.compile(r"""[{\[](?:[^"{}\[\]]|"[^"\\]*(?:\\.[^"\\]*)*")*+[}\]]""", re.DOTALL)
_BRACKETS = re.compile(r"([{\[]+)|([}\]]+)")


class Token:
    """One token.

    Attributes:
        kind: a mark (``{ } [ ] , :``), `STRING`, `NAME`, `VALUE` or `END`.
        start, end: where it is.
        value: what a string or value says.
        flaws: what is wrong with it, or with what stands before it and is no token: comments, stray quotes.
        is_word: whether it is a word without quotes, which may be meant as a string.
    """

    __slots__ = ("end", "flaws", "is_word", "kind", "start", "value")

    def __init__(self, kind: str, start: int, end: int, value: object = None, flaws: tuple[Flaw, ...] = ()) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.value = value
        self.flaws = flaws
        self.is_word = False

    def __repr__(self) -> str:
        return f"Token({self.kind!r}, {self.start}, {self.end})"


class Tokens:
    """The tokens of a text.

    Args:
        source: the text.
    """

    def __init__(self, source: Source, budget: Budget) -> None:
        self.text = text = source.text
        self.budget = budget
        self._scanner = Scanner()
        self._known: dict[int, Token] = {}
        self._wholes: dict[int, Token | None] = {}
        if source.is_scanned:
            self._wholes[skip_space(text, source.start).end()] = None
        # Offsets of what the scanner lets pass and we do not.
        self._refused = [] if source.raw is not None and "\\" not in text else [at for at, _ in lone_surrogates(text)]
        self._may_be_deep = text.count("[") + text.count("{") > MAX_DEPTH
        # How many characters may be read in vain; after that there are no more attempts.
        self._patience = 3 * len(text) + 100_000

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing in the text that the scanner lets pass and we do not."""
        return not self._refused

    @property
    def repeats(self) -> bool:
        """Whether an object that `whole` read has a key more than once."""
        return self._scanner.repeats

    def at(self, offset: int) -> Token:
        """The first token at or after `offset`, which must not be within one."""
        token = self._known.get(offset)
        if token is None:
            self.budget.steps -= TOKEN_STEPS
            if self.budget.is_spent:
                return Token(END, len(self.text), len(self.text))
            self._known[offset] = token = self._read(offset)
        return token

    def whole(self, start: int, level: int) -> Token | None:
        """The object or array that opens at `start`, as one VALUE, if it is sound.

        Args:
            start: the offset of its opening bracket.
            level: the number of containers around it.
        """
        if start in self._wholes:
            return self._wholes[start]
        self._wholes[start] = token = self._attempt(start, level)
        return token

    def _attempt(self, start: int, level: int) -> Token | None:
        if self._patience < 0 and _FLAT_CONTAINER.match(self.text, start) is None:
            return None
        try:
            value, end = self._scanner.scan(self.text, start)
        except JSONDecodeError as error:
            # The error counts the lines before it, hence the second term.
            self._patience -= error.pos - start + error.pos // 16 + 500
            return None
        except (ValueError, StopIteration, RecursionError) as error:
            at = error.value if isinstance(error, StopIteration) else len(self.text)
            self._patience -= at - start + 500
            return None
        refused = bisect_left(self._refused, start)
        if refused < len(self._refused) and self._refused[refused] < end:
            self._patience -= end - start
            return None
        left = MAX_DEPTH - level
        if self._may_be_deep and end - start > 2 * left:
            raw = self.text[start:end].encode("utf-8", "surrogatepass")
            if raw.count(b"[") + raw.count(b"{") > left and depth_of(raw) > left:
                self._patience -= end - start
                return None
        return Token(VALUE, start, end, value)

    def sound(self, start: int, level: int) -> tuple[object, int] | None:
        """The sound value at `start` and the offset behind it; None if there is none, or it is not plain.

        Args:
            start: an offset.
            level: the number of containers around it.
        """
        character = self.text[start : start + 1]
        if character == "{" or character == "[":  # noqa: PLR1714  twice as fast, and asked for every value
            whole = self.whole(start, level)
            return None if whole is None else (whole.value, whole.end)
        if self._refused:
            return None
        if self._patience < 0 and character == '"':
            match = _PLAIN_STRING.match(self.text, start)
            return None if match is None else (match.group()[1:-1], match.end())
        try:
            return self._scanner.scan(self.text, start)
        except JSONDecodeError as error:
            self._patience -= error.pos // 16 + 500
        except (ValueError, StopIteration, RecursionError):
            pass
        return None

    def skip(self, start: int) -> int:
        """The offset behind the object or array that opens at `start`, broken or not: where its brackets match.

        Brackets in strings count too: this is for what is nested too deep anyway, and fast.
        """
        depth = 0
        for match in _BRACKETS.finditer(self.text, start):
            self.budget.steps -= 1
            depth += match.end(1) - match.start(1) if match[1] else match.start(2) - match.end(2)
            if depth <= 0:
                return match.end() + depth
            if self.budget.is_spent:
                break
        return len(self.text)

    def _read(self, offset: int) -> Token:
        match = _PLAIN.match(self.text, offset)
        if match is None or (self._refused and match[2]):
            return self._read_slowly(offset)
        group = match.lastindex or 0
        start, end = match.span(group)
        if group == 1:
            return Token(match[1], start, end)
        if group == 2:
            kind = NAME if _COLON.match(self.text, end) else STRING
            return Token(kind, start, end, self.text[start + 1 : end - 1])
        try:
            value, _ = self._scanner.scan(self.text, start)
        except (ValueError, RecursionError):
            return self._read_slowly(offset)
        return Token(VALUE, start, end, value)

    def _read_slowly(self, offset: int) -> Token:
        """The token after `offset`, with comments, odd spaces and stray quotes before it, or broken itself."""
        flaws: list[Flaw] = []
        text = self.text
        while True:
            start = skip_space(text, offset).end()
            self.budget.steps -= BROKEN_TOKEN_STEPS
            if start == len(text) or self.budget.is_spent:
                return Token(END, len(text), len(text), None, tuple(flaws))
            character = text[start]
            other = _OTHER_MARK.match(text, start)
            if other is not None:
                return self._meant_as_mark(other, flaws)
            if character in "{}[],:":
                return Token(character, start, start + 1, None, tuple(flaws))
            offset, flaw = self._between(start)
            if flaw is not None:
                flaws.append(flaw)
                continue
            token = self._word_or_string(start)
            flaws += token.flaws
            if token.kind:
                token.flaws = tuple(flaws)
                return token
            offset = token.end

    def _between(self, start: int) -> tuple[int, Flaw | None]:
        """What stands at `start` between two tokens but is no space: the offset behind it, and the fault of it."""
        match = COMMENT.match(self.text, start)
        if match is not None:
            mark = self.text[start : start + (1 if self.text[start] == "#" else 2)]
            upto = "*/" if mark == "/*" else "the end of the line"
            hint = f"Remove it, from {mark} to {upto}; a description belongs in a property."
            return match.end(), Flaw(start, match.end(), "Comments are not allowed", hint, False)
        match = _ELLIPSIS.match(self.text, start)
        if match is not None:
            hint = f"Remove the {match[0]}, or write out what it stands for."
            return match.end(), Flaw(start, match.end(), "Unexpected ellipsis", hint, False)
        match = _ODD_SPACE.match(self.text, start)
        if match is not None:
            message = f"Unexpected character U+{ord(self.text[start]):04X}"
            odd = " and ".join(f"U+{ord(character):04X}" for character in dict.fromkeys(match[0]))
            hint = f"Remove every {odd}." if self.text[start] in NO_WIDTH else "Write a plain space instead of it."
            return match.end(), Flaw(start, match.end(), message, hint, False)
        return start, None

    def _meant_as_mark(self, other: re.Match[str], flaws: list[Flaw]) -> Token:
        """The colon or comma that other languages write in another way."""
        mark, name = (":", "colon") if other[1] else (",", "comma")
        flaw = Flaw(*other.span(), f"Expected {name} instead of {other[0]}", instead(mark, other[0]), False)
        return Token(mark, *other.span(), None, (*flaws, flaw))

    def _word_or_string(self, start: int) -> Token:
        """A token of kind ``""`` is a stray quote, which is none."""
        piece = None
        if self.text[start] == '"':
            piece = read_string(self.text, start)
        elif self.text[start] in FOREIGN_QUOTES:
            piece = read_foreign_string(self.text, start)
        strict = _PLAIN.match(self.text, start)
        if piece is None and strict is None:
            piece = string_without_opening_quote(self.text, start)
        if piece is not None:
            named = piece.value is not None and _COLON.match(self.text, piece.end) is not None
            kind = "" if piece.value is None else NAME if named else STRING
            return Token(kind, start, piece.end, piece.value, piece.flaws)
        return self._word(start)

    def _word(self, start: int) -> Token:
        match = NAME_WITHOUT_QUOTES.match(self.text, start)
        if match is not None and _COLON.match(self.text, match.end()):
            name = match.group()
            hint = instead(f'"{name[:40]}"', name[:40])
            flaw = Flaw(start, match.end(), f"Property names need double quotes: {name[:40]}", hint, False)
            token = Token(NAME, start, match.end(), writable(name), (flaw,))
        else:
            end, value, wrong = read_word(self.text, start)
            if wrong is not None and end == len(self.text):
                wrong = wrong._replace(is_doubtful=True)
            kind = "" if wrong is not None and wrong.message.startswith("Unexpected character") else VALUE
            token = Token(kind, start, end, value, () if wrong is None else (wrong,))
        token.is_word = True
        return token
