"""Changes to what was read already: a bracket further back that was missing, mistyped or one too many."""

from __future__ import annotations

from itertools import islice

from rui_common.syntax.recovery.indentation import ROOT, Layout, Level
from rui_common.syntax.recovery.lexer import NAME, STRING, VALUE, Token
from rui_common.syntax.recovery.repairs import AFTER, AFTER_COLON, COLON, FIRST, NEXT, Repair
from rui_common.syntax.tree import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.recovery.containers import OpenContainer
    from rui_common.syntax.tree import Member


def repairs_behind(frame: OpenContainer, state: str, token: Token, layout: Layout) -> Iterator[Repair]:
    """The changes to what was read already that may let `token` stand where it stands."""
    yield from _convert(frame, state, token, layout)
    yield from _unopen(frame, state, token, layout)
    if frame.members and frame.members[-1].start != UNKNOWN:
        yield from _wrap(frame, state, token, layout)
        yield from _reopen(frame, state, token, layout)
        yield from _unwrap(frame, state, token, layout)


def _convert(frame: OpenContainer, state: str, token: Token, layout: Layout) -> Iterator[Repair]:
    """``{`` was meant where ``[`` is, or the reverse."""
    if frame.members or frame.kind == ROOT:
        return
    other = Level("[" if frame.kind == "{" else "{", frame.parent, frame.line, frame.indent)
    if state == FIRST and (token.kind in {VALUE, "{", "["} if frame.kind == "{" else token.kind == NAME):
        yield Repair("convert", "", other, FIRST, token, 1.5 if _is_far_in(frame, token, layout) else 0.5)
    elif state == COLON and frame.key is not None and token.kind in {",", "]"}:
        yield Repair("convert", "", other, AFTER, token, 1)


def _is_far_in(frame: OpenContainer, token: Token, layout: Layout) -> bool:
    """Whether a token is indented by more than one step from the line on which `frame` is opened."""
    column = layout.column_if_first(token.start, layout.line(token.start))
    around = frame.around
    while around is not None and (around.member_indent is None or around.indent is None):
        around = around.around
    if column is None or around is None or around.member_indent is None or around.indent is None:
        return False
    return column - (frame.indent or 0) > around.member_indent - around.indent


def _unopen(frame: OpenContainer, state: str, token: Token, layout: Layout) -> Iterator[Repair]:
    """The bracket that opened this is one too many."""
    around = frame.around
    if around is None:
        return
    if state == FIRST and token.kind in {NAME, STRING, VALUE, "{", "["}:
        before = AFTER_COLON if around.kind == "{" else NEXT if around.members else FIRST
        yield Repair("unopen", "", around, before, token, 1.5, frame.member.start)
        return
    if state == NEXT and around.kind == ROOT:
        return
    if (frame.lone_value or frame.kind == around.kind == "[") and state in {COLON, AFTER, NEXT}:
        outside = NEXT if state == NEXT else AFTER
        member = frame.members[0] if len(frame.members) == 1 else None
        hugs = member is not None and _hugs(frame, member, layout)
        yield Repair("unopen", "", around, outside, token, 0.5 if hugs else 1.5, frame.member.start)


def _hugs(frame: OpenContainer, member: Member, layout: Layout) -> bool:
    """Whether a bracket clings to its first member in a text that otherwise gives each member a line."""
    if layout.line(member.start) != frame.line or frame.around is None or frame.around.member_indent is None:
        return False
    return layout.line(member.end) != frame.line or (
        member.start == frame.member.start + 1 and member.members() is None
    )


def _wrap(frame: OpenContainer, state: str, token: Token, layout: Layout) -> Iterator[Repair]:
    """The bracket of an array is missing before the last member."""
    fits = (state == NEXT and token.kind in {"{", "[", VALUE, STRING}) or (state == AFTER and token.kind in {"]", ","})
    if frame.kind == "[" or not fits:
        return
    member = frame.members[-1]
    opener = member.key_span.start if member.key_span is not None else member.start
    line = layout.line(opener)
    indent = layout.indent(line) if member.key_span is not None else None
    level = Level("[", frame, line, indent)
    level.member_indent = layout.column_if_first(member.start, layout.line(member.start))
    yield Repair("wrap", "", level, state, token, 1 if level.member_indent is None else 0.25)


def _reopen(frame: OpenContainer, state: str, token: Token, layout: Layout) -> Iterator[Repair]:
    """The bracket that closed the last member is one too many."""
    member = frame.members[-1]
    inside = member.members()
    if inside is None or state not in {AFTER, NEXT}:
        return
    opener, closer = member.text_at(member.start), member.text_at(member.end - 1)
    if opener in "{[" and closer in "}]":
        level = layout.level(opener, frame, member.start)
        if state == AFTER:
            yield Repair("reopen", ",", level, NEXT, token, 1, member.end - 1)
        is_empty = next(iter(inside), None) is None
        yield Repair("reopen", "", level, FIRST if is_empty and state == AFTER else state, token, 1, member.end - 1)


def _unwrap(frame: OpenContainer, state: str, token: Token, layout: Layout) -> Iterator[Repair]:
    """The bracket that opened the last element is one too many: its elements are those of the array around."""
    around = frame.around
    member = frame.members[-1]
    if frame.kind != "[" or around is None or state != AFTER or member.text_at(member.start) != "[":
        return
    siblings = {sibling.text_at(sibling.start) for sibling in frame.members[-3:-1]}
    column = layout.column_without(member.start)
    others = islice(member.members() or (), 1, 2)
    is_in_line = any(layout.column_if_first(other.start, layout.line(other.start)) == column for other in others)
    if (siblings and "[" not in siblings) or (column is not None and is_in_line):
        yield Repair("unwrap", "", around, AFTER, token, 0.75, member.start)
