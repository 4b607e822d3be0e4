"""The first fault of a long broken text, for whoever shows only that one: no more is read for it than helps.

Reading on in a broken text (`recovery`) takes its time, and an answer over HTTP has room for one fault. So in long
texts the strict reader says where it had to stop. What stands before that is sound; the brackets that are open there,
each in its line, stand for it, and of what follows only a little is read on. So the words for the fault are those of
short texts; the verdict is the strict reader's in any case.
"""

from __future__ import annotations

import json
import re

from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.reader import RefusedNumberError, Scanner, Source, lone_surrogates, skip_space
from rui_common.syntax.spans import Span
from rui_common.vocabulary.rules import MAX_DEPTH

MAX_READ_ON = 16_384
"""Texts of up to so many characters are read to their end for their first fault."""
AHEAD = 2_000
BEHIND = 200
"""In longer ones so many characters behind the fault are looked at, and so many of a string before it."""

MAX_REPAIRS = 50
"""So often something is put right in what is looked at: the first fault may be seen to be one only later."""

MAX_TOLD = 1_000
"""Faults of a short text that are told of at most: one habit, such as single quotes, makes many."""

_PLAIN_WORDS = ("This is not JSON here", "Look at what stands before it, too.")
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_FLAT = r'[^"\[\]{}]'
# What has no brackets that are of interest, at one go; an opening bracket; a closing one.
_STEPS = re.compile(rf"(?s)(?:{_STRING}|\{{{_FLAT}*+\}}|\[{_FLAT}*+\]|{_FLAT}++)++|([\[{{])|([\]}}])")
# No pattern is made of what somebody sent: Python keeps hundreds of them.
_STRING_OR_WORD = re.compile(rf"(?s){_STRING}|([\w.+-]++)")
_WORD = re.compile(r"[\w.+-]+\Z")
_VALUES = {"}": "{}", "]": "[]", '"': '""'}


def first_faults(source: Source) -> tuple[SyntaxFault, ...]:
    """What is wrong with a text that the strict reader refused: all of a short one, the first of a long one.

    Args:
        source: the text.
    """
    text = source.text
    if len(text) <= MAX_READ_ON:
        from rui_common.syntax.recovery.parser import recover  # noqa: PLC0415  it reads documents, too

        return recover(source, MAX_REPAIRS, MAX_TOLD).faults or (SyntaxFault(Span(0, 1), *_PLAIN_WORDS),)
    if source.fault is not None:
        start, end, message, hint = source.fault
        return (SyntaxFault(Span(start, end), message, hint),)
    return (_first_of_long(source),)


def _first_of_long(source: Source) -> SyntaxFault:
    text = source.text
    at, expected = _stop(source)
    before, start = _place(text, at, expected)
    before = _in_its_line(text, start, before)
    excerpt = Source(before + text[start : at + AHEAD])
    fault = _first_of(excerpt, is_cut=at + AHEAD < len(text))
    if fault is None:
        return SyntaxFault(Span(at, at + 1), *_PLAIN_WORDS)
    moved = start - len(before)
    span = Span(max(start, fault.span.start + moved), max(start, fault.span.end + moved))
    return SyntaxFault(span, fault.message, fault.hint)


def _stop(source: Source) -> tuple[int, str]:
    """Where the strict reader stops, and what it says that it expected there."""
    text = source.text
    try:
        _, end = Scanner().scan(text, skip_space(text, source.start).end())
    except json.JSONDecodeError as error:
        return error.pos, error.msg
    except StopIteration as error:
        return error.value, ""
    except RefusedNumberError as error:
        return _place_of(str(error), text), ""
    except RecursionError:
        return _too_deep(text), ""
    behind = skip_space(text, end).end()
    if behind < len(text):
        return behind, ""
    deep = _too_deep(text)
    surrogate = next(lone_surrogates(text), (deep, deep))[0]
    return min(deep, surrogate), "Invalid" if surrogate < deep else ""


def _place_of(number: str, text: str) -> int:
    """Where a number stands that is none within a string."""
    return next((match.start() for match in _STRING_OR_WORD.finditer(text) if match[1] == number), 0)


def _open_before(text: str, at: int) -> list[int]:
    """Where the brackets stand that are open at `at`, from the outermost in; but not those that stand too deep."""
    opened: list[int] = []
    for match in _STEPS.finditer(text, 0, at):
        if match.lastindex == 1:
            opened.append(match.start())
            if len(opened) > MAX_DEPTH:
                return opened
        elif match.lastindex == 2 and opened:
            opened.pop()
    return opened


def _too_deep(text: str) -> int:
    """Where the first value stands that is nested too deep; the end of the text if there is none."""
    opened = _open_before(text, len(text))
    return opened[-1] if len(opened) > MAX_DEPTH else len(text)


def _place(text: str, at: int, expected: str) -> tuple[str, int]:
    """What stands for the sound text before `at`, and from where on the text itself is read."""
    if expected.startswith("Invalid"):  # within a string
        start = _opening(text, at)
        frames = _open_before(text, start)
        if text[start] == '"':
            return _in_frame(text, start, frames, "")
        return f'{_around(text, frames)}{_value_in(text, frames)}"', start
    frames = _open_before(text, at)
    if len(frames) > MAX_DEPTH:
        return _around(text, frames), frames[-1]
    return _in_frame(text, at, frames, expected)


def _in_frame(text: str, at: int, frames: list[int], expected: str) -> tuple[str, int]:
    """The brackets that are open before `at`, and whatever brings a reader into the state that it is in there."""
    last = len(text[:at].rstrip(" \t\n\r")) - 1
    mark = text[last] if last >= 0 else ""
    if frames and frames[-1] == last:
        return _around(text, frames), last
    before = _around(text, frames) + _value_in(text, frames)
    if mark == "," and frames:
        return before + "0", last
    if expected.startswith("Expecting ':'") or mark == ":":
        before = before.removesuffix('"":')
    if mark == ":":
        return before + '""', last
    if mark == '"':
        opening = _opening(text, last)
        return (before, opening) if text[opening] == '"' else (f'{before}"', opening)
    word = _WORD.search(text, max(0, at - BEHIND), at)
    if word is not None:
        return before, word.start()
    return before + _VALUES.get(mark, ""), at


def _in_its_line(text: str, start: int, before: str) -> str:
    """`before`, so that what is behind it stands in the line that `start` has in the text."""
    lines = text.count("\n", 0, start) - before.count("\n")
    if not lines:
        return before
    open_ = before.removesuffix("{}").removesuffix("[]")
    inner = max(open_.rfind("["), open_.rfind("{")) + 1
    # What stands for the last value stands where that was, which may be in a line before.
    first = len(text[:start].rstrip(" \t\n\r")) if before[inner:] else start
    begins = text.rfind("\n", 0, first) + 1
    margin = text[begins : min(first, begins + BEHIND)]
    return before[:inner] + "\n" * lines + margin[: len(margin) - len(margin.lstrip(" \t"))] + before[inner:]


def _around(text: str, frames: list[int]) -> str:
    """What is open around the innermost object or array."""
    return "".join(_value_in(text, frames[:count]) for count in range(1, len(frames)))


def _value_in(text: str, frames: list[int]) -> str:
    """The innermost bracket, with the name of a property behind it if it is one of an object; in its own line."""
    if not frames:
        return ""
    at = frames[-1]
    begins = text.rfind("\n", 0, at) + 1
    lines = text.count("\n", frames[-2] if len(frames) > 1 else 0, at)
    margin = text[begins : min(at, begins + BEHIND)]
    indent = margin[: len(margin) - len(margin.lstrip(" \t"))] if lines else ""
    return "\n" * lines + indent + text[at] + ('"":' if text[at] == "{" else "")


def _opening(text: str, at: int) -> int:
    """The quote that begins the string in which `at` is, or a place near `at` in a long one."""
    farthest = max(0, at - BEHIND)
    quote = at
    while (quote := text.rfind('"', farthest, quote)) >= 0:
        slashes = len(text[farthest:quote]) - len(text[farthest:quote].rstrip("\\"))
        if slashes % 2 == 0:
            return quote
    while farthest and farthest < at and text[farthest - 1] == "\\":
        farthest += 1
    return farthest


def _first_of(excerpt: Source, *, is_cut: bool) -> SyntaxFault | None:
    """The first fault of a text; of a part of one none that comes of its being a part."""
    from rui_common.syntax.recovery.parser import recover  # noqa: PLC0415  it reads documents, too

    fault = next(iter(recover(excerpt, MAX_REPAIRS).faults), None)
    if fault is None or (is_cut and fault.span.start >= len(excerpt.text)):
        return None
    return fault
