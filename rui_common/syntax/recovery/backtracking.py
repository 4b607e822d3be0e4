"""Repairs of text that was read already: an earlier bracket that is missing, mistyped or superfluous."""

from __future__ import annotations

from itertools import islice

from rui_common.syntax.recovery.grammar import OTHER_KIND, ROOT, State, state_outside
from rui_common.syntax.recovery.indentation import IndentLevel
from rui_common.syntax.recovery.lexer import TokenKind
from rui_common.syntax.recovery.repairs import Repair, RepairKind
from rui_common.syntax.tree import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.recovery.containers import OpenContainer
    from rui_common.syntax.recovery.indentation import IndentationHints
    from rui_common.syntax.recovery.lexer import Token
    from rui_common.syntax.tree import Member

# The first tokens that show that a container should be of the other kind.
_MISPLACED = {"{": {TokenKind.VALUE, "{", "["}, "[": {TokenKind.NAME}}
_MEMBER_TOKENS = {TokenKind.NAME, TokenKind.STRING, TokenKind.VALUE, "{", "["}


def backtracking_repairs(
    container: OpenContainer, state: str, token: Token, indentation: IndentationHints
) -> Iterator[Repair]:
    """Yield the repairs before `token` after which the grammar may accept it."""
    yield from _convert(container, state, token, indentation)
    yield from _remove_opener(container, state, token, indentation)
    if container.members and container.members[-1].start != UNKNOWN:
        yield from _wrap(container, state, token, indentation)
        yield from _reopen(container, state, token, indentation)
        yield from _unwrap(container, state, token, indentation)


def _convert(container: OpenContainer, state: str, token: Token, indentation: IndentationHints) -> Iterator[Repair]:
    """``{`` was meant instead of ``[``, or the reverse."""
    if container.members or container.kind == ROOT:
        return
    other = IndentLevel(OTHER_KIND[container.kind], container.parent, container.line, container.indent)
    if state == State.FIRST and token.kind in _MISPLACED[container.kind]:
        cost = 1.5 if _is_too_far_right(container, token, indentation) else 0.5
        yield Repair(RepairKind.CONVERT, "", other, State.FIRST, token, cost)
    elif state == State.COLON and container.key is not None and token.kind in {",", "]"}:
        yield Repair(RepairKind.CONVERT, "", other, State.AFTER, token, 1)


def _is_too_far_right(container: OpenContainer, token: Token, indentation: IndentationHints) -> bool:
    """Return whether a token is indented by more than one step from the line on which `container` is opened."""
    column = indentation.column_if_first(token.start)
    outer = container.parent
    while outer is not None and (outer.member_indent is None or outer.indent is None):
        outer = outer.parent
    if column is None or outer is None or outer.member_indent is None or outer.indent is None:
        return False
    return column - (container.indent or 0) > outer.member_indent - outer.indent


def _remove_opener(
    container: OpenContainer, state: str, token: Token, indentation: IndentationHints
) -> Iterator[Repair]:
    """The opening bracket of the container is superfluous."""
    parent = container.parent
    if parent is None:
        return
    opener = container.member.start
    if state == State.FIRST and token.kind in _MEMBER_TOKENS:
        yield Repair(RepairKind.REMOVE_OPENER, "", parent, parent.next_member_state, token, 1.5, opener)
        return
    if state == State.NEXT and parent.kind == ROOT:
        return
    is_removable = container.has_one_value or container.kind == parent.kind == "["
    if is_removable and state in {State.COLON, State.AFTER, State.NEXT}:
        cost = 0.5 if _is_adjacent(container, indentation) else 1.5
        yield Repair(RepairKind.REMOVE_OPENER, "", parent, state_outside(state), token, cost, opener)


def _is_adjacent(container: OpenContainer, indentation: IndentationHints) -> bool:
    """Return whether a bracket is next to its only member in a text that has each member on a line of its own."""
    if len(container.members) != 1 or container.parent is None or container.parent.member_indent is None:
        return False
    member = container.members[0]
    if indentation.line(member.start) != container.line:
        return False
    if indentation.line(member.end) != container.line:
        return True
    return member.start == container.member.start + 1 and member.members() is None


def _wrap(container: OpenContainer, state: str, token: Token, indentation: IndentationHints) -> Iterator[Repair]:
    """The bracket of an array is missing before the last member."""
    continues = state == State.NEXT and token.kind in {"{", "[", TokenKind.VALUE, TokenKind.STRING}
    ends = state == State.AFTER and token.kind in {"]", ","}
    if container.kind == "[" or not (continues or ends):
        return
    member = container.members[-1]
    line = indentation.line(member.first_offset)
    level = IndentLevel("[", container, line, None)
    if member.key_span is not None:
        level.indent = indentation.indent(line)
    level.member_indent = indentation.column_if_first(member.start)
    yield Repair(RepairKind.WRAP, "", level, state, token, 1 if level.member_indent is None else 0.25)


def _reopen(container: OpenContainer, state: str, token: Token, indentation: IndentationHints) -> Iterator[Repair]:
    """The closing bracket of the last member is superfluous, or mistyped for a comma."""
    member = container.members[-1]
    members = member.members()
    if members is None or state not in {State.AFTER, State.NEXT}:
        return
    closer = member.end - 1
    opener_mark = member.text_at(member.start)
    if opener_mark not in "{[" or member.text_at(closer) not in "}]":
        return
    level = indentation.level(opener_mark, container, member.start)
    if state == State.AFTER:
        yield Repair(RepairKind.REOPEN, ",", level, State.NEXT, token, 1, closer)
        if _first_of(member) is None:
            state = State.FIRST
    yield Repair(RepairKind.REOPEN, "", level, state, token, 1, closer)


def _first_of(member: Member) -> Member | None:
    return next(iter(member.members() or ()), None)


def _unwrap(container: OpenContainer, state: str, token: Token, indentation: IndentationHints) -> Iterator[Repair]:
    """The opening bracket of the last element is superfluous: its elements belong to the array around it."""
    parent = container.parent
    member = container.members[-1]
    if container.kind != "[" or parent is None or state != State.AFTER or member.text_at(member.start) != "[":
        return
    siblings = {sibling.text_at(sibling.start) for sibling in container.members[-3:-1]}
    column = indentation.column_without(member.start)
    second = next(islice(member.members() or (), 1, 2), None)
    is_aligned = column is not None and second is not None and indentation.column_if_first(second.start) == column
    if is_aligned or (siblings and "[" not in siblings):
        yield Repair(RepairKind.UNWRAP, "", parent, State.AFTER, token, 0.75, member.start)
