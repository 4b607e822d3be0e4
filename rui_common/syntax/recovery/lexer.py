"""A tolerant lexer: every part of a text becomes a token, with its errors.

Tokens are made on demand and cached, so that looking ahead and backtracking do not lex twice.
"""

import re
from bisect import bisect_left
from json import JSONDecodeError

from rui_common.json_values import as_json
from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.reader import Scanner, Source, is_too_deep, lone_surrogates, skip_space
from rui_common.syntax.recovery.budget import BROKEN_TOKEN_STEPS, TOKEN_STEPS, Budget
from rui_common.syntax.recovery.containers import MISSING
from rui_common.syntax.recovery.entities import Entity, entity_at
from rui_common.syntax.recovery.grammar import MARK_NAMES, MARKS, OTHER_COLON, OTHER_COMMA, QUOTES
from rui_common.syntax.recovery.literals import UNQUOTED_NAME, has_colon, is_url, lex_literal, lex_name, phrase_at
from rui_common.syntax.recovery.omissions import MAX_WORDS, end_of_omission, is_omission, is_omission_in_comment
from rui_common.syntax.recovery.string_ends import is_end
from rui_common.syntax.recovery.strings import lex_split_name, lex_string, lex_unopened_string
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.spans import Edit, Span, line_start
from rui_common.syntax.tree import UNKNOWN
from rui_common.texts import shorten
from rui_common.vocabulary.rules import MAX_DEPTH

_TOKEN = re.compile(
    rf"""[ \t\n\r]*(?:
        ([{{}}\[\],]|:(?!=))
    |   ("[^"\\\x00-\x1f]*")(?=[ \t]*(?:[,:}}\]\r\n]|\Z))
    |   (-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null)
        (?=[ \t\n\r,}}\]]|{OTHER_COMMA}|\Z|"[^"\\\x00-\x1f]*"[ \t]*[,:}}\]])
    )""",
    re.VERBOSE,
)
COMMENT = re.compile(r"//[^\r\n]*|\#[^\r\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?|<!--(?:[^-]|-(?!->))*(?:-->)?")
CONFLICT_MARKER = re.compile(r"^(<{7}|\|{7}|={7}|>{7})(?:[ \t][^\r\n]*)?(?=[\r\n]|\Z)", re.MULTILINE)
_EXTENTS = {"//": "// to the end of the line", "/*": "/* to */", "<!": "<!-- to -->"}
_WORD_WITH_HASH = re.compile(r"#[^\s,{}\[\]\"]|#[^\r\n{}\[\]\"]*(?:,[ \t]*\"|[}\]])")
_LINE_END = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")
ZERO_WIDTH = "\ufeff\u200b"
_OTHER_SPACE = re.compile(rf"[^\S \t\n\r]+|[{ZERO_WIDTH}]+")
_ESCAPED_SPACE = re.compile(rf"(?:\\+[nrt])+(?=[\s{{}}\[\],\\{''.join(sorted(QUOTES))}]|\Z)")
_COLON = re.compile(rf"[ \t\n\r]*(?::|{OTHER_COLON})")
_OTHER_MARK = re.compile(rf"({OTHER_COLON})|{OTHER_COMMA}")
_PLAIN_END = re.compile(r"[ \t]*(?:[}\]\r\n]|,[ \t]*[\"\r\n}\]{\[]|\Z)")
_WORDS_FOLLOW = re.compile(r"[ \t]+[^\W\d_]")
_AFTER_COLON = frozenset(":=\uff1a")
TEMPLATE = re.compile(r"\{\{[ \t]*+[A-Za-z_$][\w$.|()\[\] -]{0,60}\}\}")
_BEFORE_TEMPLATE = frozenset(":=\uff1a[")
_BEFORE_VALUE = frozenset(":=\uff1a,[{(")
_BRACKETS = re.compile(r"([{\[]+)|([}\]]+)")
MIN_ELEMENT = 200  # Minimum length of the first element of an array that is read by element
MAX_COUNTED = 20_000  # Length up to which brackets are counted; a longer object or array has many in any case


class Lexer:
    """The tokens of a text."""

    def __init__(self, source: Source, budget: Budget) -> None:
        text = source.text
        self.text = text
        self.budget = budget
        self.scanner = Scanner()
        self._tokens: dict[int, Token] = {}
        self._containers: dict[int, Token | None] = {}
        self._error_offset = UNKNOWN if source.error_offset is None else source.error_offset
        if source.error_offset is not None:
            self._containers[skip_space(text, source.start).end()] = None
        self._surrogates: list[int] = []
        if source.has_surrogates or ("\\" in text and ("\\ud" in text or "\\uD" in text)):
            self._surrogates = [start for start, _ in lone_surrogates(text)]
        # The number of characters that failing scans may read.
        self._scan_allowance = 3 * len(text) + 100_000

    def at(self, offset: int) -> Token:
        """Return the first token at or after `offset`, which must not be within one."""
        token = self._tokens.get(offset)
        if token is None:
            budget = self.budget
            budget.steps -= TOKEN_STEPS
            if budget.steps < 0:
                return self._end_token()
            token = self._read(offset)
            self._tokens[offset] = token
        return token

    def container(self, start: int, level: int) -> Token | None:
        """Return the object or array at `start` as one VALUE, or None if it is not valid at this level of nesting."""
        if start not in self._containers:
            self._containers[start] = self._scan_container(start)
        token = self._containers[start]
        if token is None or self._is_too_deep(token, MAX_DEPTH - level):
            return None
        return token

    def _is_too_deep(self, token: Token, max_depth: int) -> bool:
        # Nesting takes two characters a level. To count brackets is much faster than to walk the value.
        if token.end - token.start <= 2 * max_depth:
            return False
        if token.end - token.start < MAX_COUNTED:
            brackets = sum(self.text.count(bracket, token.start, token.end) for bracket in "{[")
            if brackets <= max_depth:
                return False
        return is_too_deep(token.value, max_depth)

    def is_read_by_element(self, start: int, level: int) -> bool:
        """Return whether the array at `start` is better read by element, as it probably contains the first error.

        To read it as a whole takes as long as all elements before the error.
        """
        if self.text[start] != "[" or start > self._error_offset:
            return False
        first = skip_space(self.text, start + 1).end()
        if self.text[first : first + 1] not in {"{", "["}:
            return False
        element = self.container(first, level + 1)
        return element is None or element.end - first >= MIN_ELEMENT

    def _scan_container(self, start: int) -> Token | None:
        self.budget.steps -= 1
        if self._scan_allowance < 0:
            return None
        try:
            value, end = self.scanner.scan(self.text, start)
        except JSONDecodeError as error:
            # The error counts the lines before it, hence the second term.
            self._scan_allowance -= error.pos - start + error.pos // 16 + 500
            return None
        except StopIteration as error:
            self._scan_allowance -= error.value - start + 500
            return None
        except (ValueError, RecursionError):
            self._scan_allowance -= len(self.text) - start + 500
            return None
        index = bisect_left(self._surrogates, start)
        if index < len(self._surrogates) and self._surrogates[index] < end:
            self._scan_allowance -= end - start
            return None
        return Token(TokenKind.VALUE, start, end, value)

    def skip_container(self, start: int) -> int:
        """Return the end of an object or array that is nested too deep, by counting brackets, even those in strings."""
        depth = 0
        for match in _BRACKETS.finditer(self.text, start):
            self.budget.steps -= 1
            if match[1]:
                depth += len(match[1])
            else:
                depth -= len(match[2])
            if depth <= 0:
                return match.end() + depth
            if self.budget.is_spent:
                break
        return len(self.text)

    def _end_token(self, errors: tuple[SyntaxFault, ...] = ()) -> Token:
        return Token(TokenKind.END, len(self.text), len(self.text), None, errors)

    def _read(self, offset: int) -> Token:
        match = _TOKEN.match(self.text, offset)
        if match is None or (self._surrogates and match[2]):
            return self._read_broken(offset)
        group = match.lastindex or 0
        start, end = match.span(group)
        if group == 1:
            if match[1] == "[" and self._end_of_omission(start) is not None:
                return self._read_broken(offset)
            return self._template(start) or Token(match[1], start, end)
        if group == 2:
            if _PLAIN_END.match(self.text, end) is None and not self._is_plain(start, end):
                return self._read_broken(offset)
            return Token(self._kind_of_string(end), start, end, self.text[start + 1 : end - 1])
        if _WORDS_FOLLOW.match(self.text, end) is not None and self._end_of_omission(start) is not None:
            return self._read_broken(offset)
        try:
            value, _ = self.scanner.scan(self.text, start)
        except (ValueError, RecursionError):
            return self._read_broken(offset)
        return Token(TokenKind.VALUE, start, end, value)

    def _template(self, start: int) -> Token | None:
        """Return the place for a value in a template, ``{{ title }}``, as a text."""
        match = TEMPLATE.match(self.text, start)
        if match is None or self._mark_before(start) not in _BEFORE_TEMPLATE:
            return None
        span = Span(*match.span())
        new = as_json(match[0])
        error = FaultKind.TEMPLATE.at(span, Edit(span, new), old=shorten(match[0]), new=shorten(new))
        return Token(TokenKind.VALUE, *span, match[0], (error,))

    def _is_plain(self, start: int, end: int) -> bool:
        """Return whether a string ends with its second quote, and not with a later one."""
        return is_end(self.text, end, is_value=self._mark_before(start) in _AFTER_COLON)

    def _mark_before(self, offset: int) -> str:
        """Return the last character before an offset that is no white space; ``""`` if there is none."""
        size = 8
        while not (before := self.text[max(0, offset - size) : offset].rstrip(" \t\r\n")) and size < offset:
            size *= 8
        if not before:
            return ""
        end = max(0, offset - size) + len(before)
        return "=" if self.text[end - 2 : end] == "=>" else before[-1]

    def _kind_of_string(self, end: int) -> str:
        if _COLON.match(self.text, end):
            return TokenKind.NAME
        return TokenKind.STRING

    def _read_broken(self, offset: int) -> Token:
        """Read the token after `offset` if it is broken, or has comments or stray characters before it."""
        errors: list[SyntaxFault] = []
        text = self.text
        while True:
            start = skip_space(text, offset).end()
            self.budget.steps -= BROKEN_TOKEN_STEPS
            if start == len(text) or self.budget.is_spent:
                return self._end_token(tuple(errors))
            mark = _OTHER_MARK.match(text, start)
            if mark is not None:
                return _other_mark(mark[0], ":" if mark[1] else ",", Span(*mark.span()), errors)
            if text[start] in MARKS and (text[start] != "[" or self._end_of_omission(start) is None):
                token = self._template(start) or Token(text[start], start, start + 1, None)
                token.errors = (*errors, *token.errors)
                return token
            entity = entity_at(text, start)
            if entity is not None and entity.character in MARKS:
                return _other_mark(text[start : entity.end], entity.character, Span(start, entity.end), errors)
            error = self._between_tokens(start, entity)
            if error is not None:
                if error.kind is FaultKind.OMITTED_VALUE:
                    return Token(TokenKind.VALUE, *error.span, MISSING, (*errors, error))
                errors.append(error)
                offset = error.span.end
                continue
            token = self._string(start) or self._word(start)
            errors += token.errors
            if token.kind != TokenKind.NOISE:
                token.errors = tuple(errors)
                return token
            offset = token.end

    def _between_tokens(self, start: int, entity: Entity | None) -> SyntaxFault | None:
        """Return the error of a comment, conflict marker, omission or other space at `start`."""
        text = self.text
        is_value = self._mark_before(start) in _AFTER_COLON
        comment = COMMENT.match(text, start)
        if comment is not None and not (is_value and _WORD_WITH_HASH.match(text, start)):
            kind = FaultKind.COMMENT
            if is_omission_in_comment(comment[0]):
                kind = FaultKind.OMISSION_IN_COMMENT
            extent = _EXTENTS.get(comment[0][:2], "# to the end of the line")
            span = Span(*comment.span())
            return kind.at(span, _removal(text, span), extent=extent)
        marker = CONFLICT_MARKER.match(text, start)
        if marker is not None:
            span = Span(*marker.span())
            return FaultKind.CONFLICT_MARKER.at(span, _removal(text, span), marker=marker[0][:7])
        end = self._end_of_omission(start)
        if end is not None:
            return _omission(text, Span(start, end), is_value=is_value)
        space = _OTHER_SPACE.match(text, start)
        if space is not None:
            return _other_space(space[0], Span(*space.span()))
        escaped = _ESCAPED_SPACE.match(text, start)
        if escaped is not None:
            span = Span(*escaped.span())
            new = "\n" if "n" in escaped[0] else " "
            return FaultKind.ESCAPED_SPACE.at(span, Edit(span, new), is_safe=True, old=escaped[0])
        if entity is not None and entity.character.isspace():
            span = Span(start, entity.end)
            return FaultKind.SPACE.at(span, Edit(span, " "), is_safe=True, first=text[slice(*span)])
        return None

    def _end_of_omission(self, start: int) -> int | None:
        """Return the end of a mark of an omission at `start`, or None."""
        before = self._mark_before(start)
        end = end_of_omission(self.text, start, is_after_value=before != "" and before not in _BEFORE_VALUE)
        if end is None and before not in _AFTER_COLON and (self.text[start].isalnum() or self.text[start] == "+"):
            phrase = phrase_at(self.text, start, MAX_WORDS + 1)
            end = start + len(phrase) if is_omission(phrase) else None
        return end

    def _string(self, start: int) -> Token | None:
        """Read a string with wrong quotes or content. Returns None for a literal."""
        is_value = self._mark_before(start) in _AFTER_COLON
        token = None if is_value else lex_split_name(self.text, start)
        token = token or lex_string(self.text, start, is_value=is_value)
        if token is None and _TOKEN.match(self.text, start) is None:
            token = lex_unopened_string(self.text, start)
        if token is None:
            return None
        token.kind = self._kind_of_string(token.end)
        token.is_word = start + 1 == token.end < len(self.text)
        return token

    def _word(self, start: int) -> Token:
        match = UNQUOTED_NAME.match(self.text, start)
        before = self._mark_before(start)
        is_in_text = before in _AFTER_COLON or (before.isalnum() and match is not None and " " in match[0])
        if is_in_text and has_colon(self.text, start):
            match = None
        if match is not None and _COLON.match(self.text, match.end()) and not is_url(self.text, match.end()):
            token = lex_name(match)
        else:
            token = lex_literal(self.text, start)
            if token.end == len(self.text):
                token.errors = tuple(error._replace(is_doubtful=True) for error in token.errors)
        token.is_word = True
        return token


def _other_mark(old: str, new: str, span: Span, errors: list[SyntaxFault]) -> Token:
    """Return the mark that other languages write differently."""
    name = MARK_NAMES.get(new, new)
    error = FaultKind.FOREIGN_MARK.at(span, Edit(span, new), is_safe=True, name=name, old=old, new=new)
    return Token(new, *span, old, (*errors, error))


def _omission(text: str, span: Span, *, is_value: bool) -> SyntaxFault:
    """Return the error of a mark of what is left out: an element, a property, or the value of one."""
    old = shorten(text[slice(*span)])
    if is_value:
        return FaultKind.OMITTED_VALUE.at(span, Edit(span, "null"), old=old)
    return FaultKind.OMISSION.at(span, _removal(text, span), old=old)


def _other_space(characters: str, span: Span) -> SyntaxFault:
    """Return the error of characters that are white space, or have no width, and are not allowed in JSON."""
    codes = [f"U+{ord(character):04X}" for character in dict.fromkeys(characters)]
    kind, new = FaultKind.SPACE, " " * len(characters)
    if characters[0] in ZERO_WIDTH:
        kind, new = FaultKind.ZERO_WIDTH, ""
    return kind.at(span, Edit(span, new), is_safe=True, first=codes[0], characters=" and ".join(codes))


def _removal(text: str, span: Span) -> Edit:
    """Return the removal of a range, with the blanks before it, or with its line if it is alone there."""
    line = line_start(text, span.start)
    start = line + len(text[line : span.start].rstrip(" \t"))
    line_end = _LINE_END.match(text, span.end)
    if start > line:
        return Edit(Span(start, span.end), "")
    if line_end is None:
        return Edit(Span(line, span.end), "")
    return Edit(Span(line, line_end.end()), "")
