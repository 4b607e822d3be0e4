"""The recovering parser: a broken text → its value, the places of its members, and precise errors.

The C scanner reads valid objects and arrays. Around errors, the text is read token by token. At a token that the
grammar does not accept, or that the lexer guessed, the parser applies the repair after which it can read furthest
(`repairs`), and reports it.
"""

import json
import re

from rui_common.json_values import as_json
from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.reader import Source
from rui_common.syntax.recovery import repair_faults as faults
from rui_common.syntax.recovery.budget import REPAIR_STEPS, Budget
from rui_common.syntax.recovery.builder import Builder
from rui_common.syntax.recovery.containers import OpenContainer
from rui_common.syntax.recovery.envelope import PROSE, WORD, Envelope, find_envelope, no_document
from rui_common.syntax.recovery.find_document import find_documents, names_rui
from rui_common.syntax.recovery.grammar import ACCEPTED, CLOSERS, QUOTES, ROOT, Action, State
from rui_common.syntax.recovery.literals import lex_literal
from rui_common.syntax.recovery.omissions import is_omission_in_prose
from rui_common.syntax.recovery.repairs import KEEP, MAX_DISTANCE, Place, Repair, RepairFinder, is_before_guess
from rui_common.syntax.recovery.string_contents import incomplete_escape
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.root_keys import is_rui
from rui_common.syntax.spans import Edit, Span, blank, first_line
from rui_common.syntax.tree import UNKNOWN, Reading
from rui_common.texts import MAX_SHOWN

MAX_PRECISE_REPAIRS = 100  # After this number of errors, the look-ahead reads fewer tokens
MAX_SHORT_DISTANCE = 3
_TEXT_AROUND = frozenset({FaultKind.FENCE, FaultKind.PROSE, FaultKind.LINE_PREFIX, FaultKind.TEXT_AFTER_DOCUMENT})
_QUOTES = "".join(sorted(QUOTES))
_STRUCTURE = re.compile(r"[{\[]|\"\s*:")  # A bracket, or a quoted name.
# Another format, which may contain brackets and quoted names: YAML in lines, TOML, HTML and XML.
_OTHER_FORMAT = re.compile(
    r"""(?>(?:[ \t\r\n]*\n(?![ \t]*\r?\n)|[ \t]*\#.*\r?\n|---.*\n)*)  # blank lines, comments, the start of a document
    (?:<(?:!doctype|html|\?xml)\b
    |[a-z_][\w.-]*:(?:[ \t]+(?=\S)[^\n]*[^\s,{\[])?[ \t]*\r?\n      # a property without a comma after it
     (?:[ \t]*(?:\#.*)?\r?\n)*[ \t]*(?:-[ \t\r\n]|[\w."'-]+:)  # and an element or another property
    |(?:\[+[a-z_][\w."-]*\]+[ \t]*\r?\n\s*)?[a-z_][\w.-]*[ \t]*=[ \t]*["'\d\[{tf][^\n;]*\r?\n  # a value of TOML
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSERS = re.compile(r"[\s}\]]+")
# A quote with a backslash after the first bracket, or a quote before it and a line end with a backslash after it: JSON
# that was encoded twice.
_ESCAPED = re.compile(
    rf"[\s\"]*[{{\[](?>(?:[\s{{\[]++|\\++[nrt])*)\\++\"[^\"\\\r\n]*+\\+\"|\s*[{_QUOTES}][{_QUOTES}\s]*[{{\[]\s*\\++[nrt]"
)
_NO_WORD = re.compile(r"[\s\"{}\[\],:]")
# No other value before it: words, a comma, code fences.
_SECOND_DOCUMENT = re.compile(r"[^\"{}\[\]]*[{\[]")
_CONTENT = re.compile(r"[{\[]|\"[ \t]*:")  # objects, lists, properties


def recover(source: Source, budget: Budget, lines: LineIndex) -> Reading:
    """Read a broken text. It never raises, and finds no error in valid JSON."""
    is_escaped = _ESCAPED.match(source.text, source.start) is not None
    envelope = None if is_escaped else find_envelope(source.text, lines, source.start)
    is_other = _OTHER_FORMAT.match(source.text, source.start) is not None
    if is_other and envelope is not None:
        is_other = not envelope.fault.edits
        envelope = None if is_other else envelope
    inner = source
    if envelope is not None:
        inner = source.with_text(blank(source.text, envelope.spans))
    builder = Builder(inner, budget, lines)
    _run(builder)
    errors = [_on_one_line(fault, source.text) for fault in builder.errors()]
    if budget.is_spent and not errors:
        offset = max(builder.offset, source.error_offset or 0)
        errors = [FaultKind.UNEXPLAINED.at(Span(offset, offset + 1))]
    root, value = builder.root()
    is_only = envelope.fault.edits != () if envelope is not None else not builder.has_second_rui
    has_structure = envelope is not None or _STRUCTURE.search(source.text) is not None
    only_fault: SyntaxFault | None = None
    if is_escaped:
        only_fault = _escaped(source.text, errors[0].span)
    elif len(errors) > 1 and (is_other or not has_structure):
        only_fault = FaultKind.NOT_JSON.at(errors[0].span)  # Repairs would be as many as the words of the text.
    elif _is_other_text(builder, envelope):
        only_fault = no_document((envelope.fault if envelope is not None else errors[0]).span)
    elif envelope is not None:
        errors.insert(0, envelope.fault)
    is_json = source.is_text and only_fault is None
    if not is_json:
        errors = [only_fault] if only_fault is not None and source.fault is None else []
    if source.fault is not None:
        errors = sorted([*errors, source.fault], key=lambda fault: fault.span.start)
    errors = [_with_omission(fault, source.text) for fault in errors]
    is_complete = not budget.is_spent and builder.report_count <= budget.errors
    if not is_json:
        return Reading(None, root, duplicate_keys=False, errors=tuple(errors), is_json=False, is_complete=is_complete)
    has_duplicates = bool(builder.has_duplicate_keys or builder.lexer.scanner.duplicates)
    is_only_rui = is_only and is_rui(value)
    return Reading(value, root, has_duplicates, tuple(errors), is_rui=is_only_rui, is_complete=is_complete)


def _escaped(text: str, span: Span) -> SyntaxFault:
    """Return the error of a text that is escaped. Its edit replaces it by the text of the string, if that is a RUI."""
    try:
        decoded = json.loads(f'"{text.strip().strip(chr(34))}"', strict=False)
        found = is_rui(json.loads(decoded))
    except (ValueError, RecursionError):
        found = False
    if not found:
        return FaultKind.ESCAPED.at(span)
    return FaultKind.ESCAPED.at(span, Edit(Span(0, len(text)), decoded), is_safe=True)


def _is_other_text(builder: Builder, envelope: Envelope | None) -> bool:
    """Return whether a text is more than one value, and contains no RUI: prose, a program, a log.

    So is one that begins neither with a value nor with a bracket, but has several errors.
    """
    root, value = builder.root()
    is_inserted = isinstance(value, dict | list) and builder.text[root.start] not in CLOSERS and builder.error_count > 1
    is_surrounded = envelope is not None or builder.has_text_after or is_inserted
    return is_surrounded and not is_rui(value) and not names_rui(builder.text)


def _with_omission(fault: SyntaxFault, text: str) -> SyntaxFault:
    """Return a fault of text around the document, so that it is not removed if it says that something is left out."""
    if fault.kind not in _TEXT_AROUND or not any(is_omission_in_prose(text[slice(*edit.span)]) for edit in fault.edits):
        return fault
    command = fault.title[0].lower() + fault.title[1:]
    return FaultKind.OMISSION_IN_PROSE.at(fault.span, *fault.edits, title=fault.title, command=command)


def _on_one_line(fault: SyntaxFault, text: str) -> SyntaxFault:
    """Return a fault whose range ends with its first line; a comment covers all of its lines."""
    line = first_line(text, fault.span)
    if line == fault.span or fault.kind in {FaultKind.COMMENT, FaultKind.OMISSION_IN_COMMENT}:
        return fault
    return fault._replace(span=Span(line.start, max(line.start + 1, line.end)))


def _run(builder: Builder) -> None:
    """Read the whole text, or as much of it as the budget allows.

    Tokens are read while the grammar accepts them. If it does not, a repair is applied.
    """
    while not builder.is_done:
        token = builder.lexer.at(builder.offset)
        builder.budget.steps -= 1  # a token of the look-ahead is not read again, but costs time, too
        if builder.budget.is_spent or builder.report_count > builder.budget.errors:
            _stop(builder)
        else:
            _read(builder, token)


def _read(builder: Builder, token: Token) -> None:
    action = ACCEPTED.get((builder.container.kind, builder.state, token.kind))
    if action is None or _is_guess(builder, token, action):
        _repair(builder, token)
    elif token.kind == TokenKind.END:
        builder.report_token(token.errors)
        builder.is_done = True
    else:
        builder.shift(token, action)


def _repair(builder: Builder, token: Token) -> None:
    """Change the text so that reading can go on at a token that is wrong here, or probably is."""
    builder.report_token([error for error in token.errors if error.span.end <= token.start])
    if token.kind == TokenKind.END:
        _end(builder)
        return
    distance = MAX_DISTANCE
    if builder.error_count >= MAX_PRECISE_REPAIRS:
        distance = MAX_SHORT_DISTANCE
    finder = RepairFinder(builder.container, builder.state, token, builder.lexer)
    best, accepted = finder.best(distance)
    is_after_root = builder.container.kind == ROOT and builder.state == State.AFTER
    if is_after_root and (2 * accepted < distance or builder.lexer.at(token.end).kind == TokenKind.END):
        _reject_rest(builder, token)
        return
    builder.budget.steps -= REPAIR_STEPS
    if builder.budget.is_spent:
        _stop(builder)
        return
    if best == KEEP:
        builder.shift(token, ACCEPTED[builder.container.kind, builder.state, token.kind])
    else:
        _apply(builder, best, token)


def _is_guess(builder: Builder, token: Token, action: str) -> bool:
    """Return whether a token may be a bracket that is mistyped for a quote, or a quote for a bracket."""
    if action == Action.OPEN and builder.text[token.end : token.end + 1] not in ' \t\r\n"{[':
        return is_before_guess(token, builder.lexer.at(token.end))
    if action == Action.CLOSE:
        return builder.is_after_error and token.start == builder.offset
    return token.is_quote


def _apply(builder: Builder, repair: Repair, token: Token) -> None:
    if repair.place == Place.LAST:
        _join(builder, token)
        return
    fault = faults.fault_of(repair, token, builder)
    start = fault.span.start
    end = token.start
    if repair.place == Place.CLOSER:
        builder.reopen_last()
    if repair.place == Place.COLON:
        colon = builder.lexer.at(token.end)
        name = lex_literal(builder.text[token.start : token.end], 0)  # without the rest of the text, which may be long
        if name.errors or name.end != token.end - token.start:
            name = token  # no number or literal
        # The errors of the name and of the colon are not reported.
        errors = [error for error in (*name.errors, *colon.errors) if error.span.end <= colon.start]
        fault = fault._replace(edits=(*(edit for error in errors for edit in error.edits), *fault.edits))
        builder.add(token.start, token.end, name.value)
        end = builder.offset = colon.end
    builder.report(fault, is_guess=repair.place != Place.AUTHOR)
    if repair.place in {Place.AT, Place.AUTHOR}:
        end = builder.offset = token.end
    elif repair.place == Place.NAME:
        builder.read_name(token)
    elif repair.place == Place.COMMA:
        builder.state = State.AFTER
    elif repair.place == Place.OPENER:
        builder.drop_level()
    elif repair.place == Place.MEMBER:
        builder.wrap_last()
    for mark in repair.marks:
        builder.insert(mark, start, end)
    if repair.place == Place.AT:
        _skip_commas(builder, token)


def _join(builder: Builder, token: Token) -> None:
    """Continue the last value with a token, or with the name without a colon before it."""
    last = builder.container.key or token
    text = builder.joined(last)
    builder.report(faults.split_text(last, text, builder), is_guess=False)
    builder.join_last(last, text)


def _skip_commas(builder: Builder, token: Token) -> None:
    """Remove the commas after a comma that is removed or replaced."""
    while token.kind == "," and (following := builder.lexer.at(builder.offset)).kind == ",":
        builder.report_token(error for error in following.errors if error.span.end <= following.start)
        builder.report(faults.extra_comma(following, builder), is_guess=False)
        builder.offset = following.end


# The end of the text ------------------------------------------------------------------------------------------------


def _end(builder: Builder) -> None:
    levels: list[OpenContainer] = []
    container = builder.container
    while container.parent is not None:
        levels.append(container)
        container = container.parent
    cut = _cut(builder)
    if levels:
        # An error in the last line does not explain the brackets that are open.
        builder.report(faults.cut_text(levels, cut, builder), is_guess=False)
    elif not builder.is_after_error:
        builder.report(FaultKind.EMPTY.at(Span(len(builder.text), len(builder.text))))
    _stop(builder)


def _cut(builder: Builder) -> faults.Cut:
    """Withdraw the error of the token that the text ends within, and describe that token."""
    text = builder.text
    container = builder.container
    if container.kind == ROOT:
        return faults.NO_CUT
    cut_string = builder.withdraw(FaultKind.CUT_STRING)
    if cut_string is not None:
        return faults.Cut("a string", '"', incomplete_escape(text), cut_string.edits)
    error_start = builder.last_error_start()
    if error_start == UNKNOWN or builder.state == State.COLON:
        return faults.NO_CUT
    start = error_start
    if builder.state == State.NEXT:
        start = container.comma.start
    partial = text[start:]
    if len(partial) > MAX_SHOWN or _NO_WORD.search(text, error_start):
        return faults.NO_CUT
    completed = ""
    if builder.state == State.AFTER:
        if not container.members or container.members[-1].start != start:
            return faults.NO_CUT
        literals = (literal for literal in ("true", "false", "null") if literal.startswith(partial))
        completed = next(literals, as_json(container.values[-1]))
        container.values[-1] = json.loads(completed)
    edits = (*builder.withdraw_at(error_start), Edit(Span(start, len(text)), completed))
    return faults.Cut("a value", completed, partial, edits)


def _stop(builder: Builder) -> None:
    """Close all open containers, which may be incomplete."""
    while builder.container.parent is not None:
        if builder.container.key is not None:
            builder.add_missing()
        builder.mark_incomplete()
        builder.close(len(builder.text), is_open=True)
    builder.is_done = True


def _reject_rest(builder: Builder, token: Token) -> None:
    text = builder.text
    # Comments before the token are reported by themselves.
    before = [error for error in token.errors if error.span.end <= token.start]
    start = max((edit.span.end for error in before for edit in error.edits), default=builder.offset)
    rest = Span(start, len(text.rstrip(" \t\r\n")))
    is_prose = PROSE.fullmatch(text, start) is not None
    has_words = is_prose and WORD.search(text, start) is not None
    has_document = _SECOND_DOCUMENT.match(text, token.start) is not None
    has_content = not is_prose and _CONTENT.search(text, start) is not None
    has_closers = _CLOSERS.fullmatch(text, start) is not None
    _, value = builder.root()
    # A property after an object may be its own, after a bracket too many.
    builder.has_text_after = has_words or has_document or (has_content and not isinstance(value, dict | list))
    builder.has_second_rui = bool(find_documents(text, start))
    after = faults.TextAfter(rest, is_prose, has_words, has_content, has_closers, has_document, is_rui(value))
    fault = faults.text_after_document(token, after)
    builder.report(fault, is_guess=bool(fault.edits))  # What has no repair is no consequence of what has one.
    builder.is_done = True
