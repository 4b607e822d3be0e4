"""A client that fixes texts only by following the hint of a response with status 400. It has no parser.

A hint has a place and an instruction for each error: `Line 3, column 5: Expected comma. …`. `PHRASES` lists the
instructions that the client understands. It ignores others.
"""

import json
import re
from collections.abc import Callable, Iterator

from rui_common.syntax.paths import parse_path, value_at

Change = tuple[int, int, str]
"""Start and end offset, and the replacement."""

Doer = Callable[[str, int, re.Match[str]], Iterator[Change]]

_PLACE = re.compile(r"Line (\d+), column (\d+): ")
_OTHER_QUOTES = re.compile(
    r"Write (\W?)(.+?)(\W?) instead of (\W?|&\W?\w+;|\W{3})\2(\W?|&\W?\w+;|\W{3})(?=\.\Z|, )", re.DOTALL
)
_SPACE = "a plain space"
_END_OF_OLD = re.compile(r"(?=, (?:if|or)\b| for the |; |: |\.(?: |$))|\Z")


_DOCUMENT_IN = re.compile(r"The document is in (.+?): send that\.")


def taken_out(text: str, place: str) -> str:
    """Return the text of the document at a place of a JSON text, such as ``rui of the JSON in body``."""
    value = json.loads(text)
    for path in reversed(place.split(" of the JSON in ")):
        while isinstance(value, str):
            value = json.loads(value)
        if path != "the string":
            value = value_at(value, parse_path(path.strip("`")))
    return value if isinstance(value, str) else json.dumps(value)


def fix_text(text: str, hint: str) -> str:
    """Return the text after all changes that the hint of a response describes."""
    place = _DOCUMENT_IN.search(hint)
    if place is not None:
        return taken_out(text, place[1])
    if "without [ and ] around it" in hint:
        return text.strip()[1:-1]
    if "Send the text of the string itself" in hint:
        inner = json.loads(text)
        return inner if isinstance(inner, str) else text
    changes: list[Change] = []
    _, *parts = _PLACE.split(hint)
    for line, column, words in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        here, _, same = words.partition("The same at line:column ")
        changes += _changes(text, _offset(text, int(line), int(column)), here)
        for other_line, other_column in re.findall(r"(\d+):(\d+)", same):
            changes += _alike(text, _offset(text, int(other_line), int(other_column)), here)
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _offset(text: str, line: int, column: int) -> int:
    return sum(len(before) for before in text.splitlines(keepends=True)[: line - 1]) + column - 1


def _changes(text: str, offset: int, words: str) -> list[Change]:
    for phrase, do in _PHRASES.items():
        match = phrase.search(words)
        if match is not None:
            return list(do(text, offset, match))
    return []


def _alike(text: str, offset: int, words: str) -> list[Change]:
    """Return the same change at another place. Wrong or missing quotes are replaced around the word at that place."""
    shown = _OTHER_QUOTES.search(words.rstrip())
    if shown is None:
        return _changes(text, offset, words)
    before, _, behind, old_before, old_behind = shown.groups()
    ends = rf"{re.escape(old_behind)}(?=\s*[,:}}\]\n]|\Z)" if old_behind else r"(?![\w$.-])"
    word = re.compile(rf"{re.escape(old_before)}(.*?){ends}").match(text, offset)
    return [] if word is None else [(*word.span(), before + word[1] + behind)]


def _named(mark: str) -> str:
    """Return the character that a hint names by a word or by itself."""
    return {"comma": ",", "semicolon": ";", "colon": ":", "quote": '"'}.get(mark, mark)


def _around(text: str, _: int, match: re.Match[str]) -> Iterator[Change]:
    lines = [0, *(end.end() for end in re.finditer(r"\r\n?|\n", text)), len(text)]
    yield 0, text.index(match[1], lines[int(match[2]) - 1]), ""
    if match[3]:
        yield text.rindex(match[3], 0, lines[int(match[4])]) + 1, len(text), ""


def _to_the_end(text: str, offset: int, _: re.Match[str]) -> Iterator[Change]:
    yield offset, len(text), ""


def _comment(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    end = re.compile(r"\*/" if match[1] == "*/" else r"(?=[\r\n]|\Z)").search(text, offset)
    if end is not None:
        yield offset, end.end(), ""


def _for_mark(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    mark = text.rindex(_named(match[2]), 0, len(text) if match[3] == "at the end" else offset)
    yield mark, mark + 1, match[1]


def _instead_and_comma(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    comma = text.rindex(_named(match[1]), 0, offset)
    yield comma, comma + 1, ""
    yield offset, offset + len(match[3]), match[2]


def _for_end(text: str, _: int, match: re.Match[str]) -> Iterator[Change]:
    start = text.rindex(match[2])
    yield start, len(text), match[1]


def _at_each(pattern: str, new: Callable[[str], str]) -> Doer:
    """Return a function that makes a change at a place and at the given number of following places."""

    def do(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
        more = match[1]
        count = 1 if not more else 2 if more.endswith("one") else 1 + int(more.split()[-1])
        for number, found in enumerate(re.compile(pattern).finditer(text, offset)):
            if number < count:
                yield *found.span(), new(found[0])

    return do


def _character(_: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    yield offset, offset + 1, " " if match[1] == _SPACE else match[1]


def _escaped_space(_: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    yield offset, offset + len(match[1]), "\n"


def _instead(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    """Yield a replacement. It keeps the text in the place of an ellipsis.

    The text to replace may contain the words of a hint: the longest reading that is in the text counts.
    """
    readings = [(len(old), old, new) for new, old in _readings(match.string[match.start() :])]
    for _, old, new in sorted(readings, reverse=True):
        start, end = _place_of(text, offset, old)
        if end > start:
            yield start, end, new
            return
        if "…" in old and "…" in new:
            (head, tail), (new_head, new_tail) = old.split("…", 1), new.split("…", 1)
            if text.startswith(head, offset) and tail in text[offset + len(head) :]:
                end = text.index(tail, offset + len(head))
                yield offset, offset + len(head), new_head
                yield end, end + len(tail), new_tail
                return


def _readings(words: str) -> Iterator[tuple[str, str]]:
    """Yield what "Write … instead of …" may mean: the new text and the old one."""
    for middle in re.finditer(" instead of ", words):
        rest = words[middle.end() :]
        for end in _END_OF_OLD.finditer(rest):
            yield words[len("Write ") : middle.start()], rest[: end.start()]


def _place_of(text: str, offset: int, old: str) -> tuple[int, int]:
    """Return where a text is that begins at a place, or around it; a line break is shown as a blank."""
    if text.startswith(old, offset):
        return offset, offset + len(old)
    before = max(0, offset - 2 * len(old))
    part = text[before : offset + 2 * len(old)]
    if " ".join(old.split()) not in " ".join(part.split()):
        return offset, offset
    pattern = re.compile(r"\s+".join(map(re.escape, old.split(" "))))
    spans = ((before + match.start(), before + match.end()) for match in pattern.finditer(part))
    return next(((start, end) for start, end in spans if start <= offset <= end), (offset, offset))


def _mark_behind(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    before = len(text[:offset].rstrip())
    yield before, before, _named(match[1])


def _in_three_quotes(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    end = text.index(match[1], offset + 3)
    yield offset, offset + 3, '"'
    for found in re.finditer(r"\r\n?|\n", text[offset:end]):
        yield offset + found.start(), offset + found.end(), "\\n"
    yield end, end + 3, '"'


def _quote_behind(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    content = match[1].removeprefix("…")
    end = text.index(content, offset) + len(content)
    yield end, end, '"'


def _insert(_: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    yield offset, offset, match[1]


def _add(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    if match[3]:
        offset = text.rindex(_named(match[3]), 0, offset)
    yield offset, offset, match[1] + ("," if match[2] == " and a comma" else "")


def _every(text: str, _: int, match: re.Match[str]) -> Iterator[Change]:
    characters = "".join(chr(int(code, 16)) for code in re.findall(r"U\+(\w+)", match[1]))
    for found in re.finditer(f"[{characters}]", text):
        yield *found.span(), ""


def _remove(text: str, offset: int, match: re.Match[str]) -> Iterator[Change]:
    named = _named(match[1])
    if named.startswith("U+"):
        named = chr(int(named[2:], 16))
    if text.startswith(named, offset):
        yield offset, offset + len(named), ""


_NEXT = r"(?: and of the (next one|next \d+))?\."
PHRASES: dict[str, Doer] = {
    r"Remove everything before the (\S.*?) in line (\d+)(?: and everything after the last (.) in line (\d+))?": _around,
    r"Remove the text after the document": _to_the_end,
    r"Send each document by itself": _to_the_end,
    r"Remove the comment, from \S+ to (\*/|the end of the line)": _comment,
    r"Remove the (\S+) before this, and write (\S) instead of (.+?)(?: for the |\.(?: |$))": _instead_and_comma,
    r"Write (\S+) instead of the (\S+) (at the end|before this)": _for_mark,
    r"Write \\n instead of the line break at the end of this line" + _NEXT: _at_each(r"\r\n?|\n", lambda _: "\\n"),
    r'Write \\" instead of this quote' + _NEXT: _at_each('"', lambda _: '\\"'),
    r"Write (.+?) instead of (.+?) at the end(?=[.;,])": _for_end,
    r"Write (\\\\) instead of this backslash": _character,
    r"Unexpected (\S+) outside of a string. Write a plain space": _escaped_space,
    r"Write (\S+|a plain space) instead of it\.": _character,
    r"Write one \" instead of each (\S+), and \\\\n instead of each line break between them": _in_three_quotes,
    r"Write (?!out )(?=.+? instead of )": _instead,
    r"Put a (comma|colon) after": _mark_behind,
    r'Put " after (.+?)\.(?: |$)': _quote_behind,
    r'Put (["{}\[\]]) (?:here|before)': _insert,
    r'here, for example ((?:: )?null,?|"name":?)': _insert,
    r'Add ((?:"?: )?"?(?:null)?[}\]]+|")( and a comma| before the (\S+)|)': _add,
    r"Unexpected (?:character )?(\S+?)(?: before .*?)?\.? Remove it\b": _remove,
    r"Remove every (U\+\w+(?: and U\+\w+)*)": _every,
    r"Remove the (comma|semicolon|=>|:=|\S)": _remove,
}
"""Instructions with the change for each, the most specific first."""
_PHRASES = {re.compile(phrase, re.DOTALL): do for phrase, do in PHRASES.items()}
