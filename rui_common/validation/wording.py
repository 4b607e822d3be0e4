"""The message and the hint of a finding (section 7.3 of the specification; docs/decisions.md, section 3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from rui_common.suggest import kebab_case, nearest, squash
from rui_common.syntax.paths import Path, format_path, property_name
from rui_common.validation.findings import ABSENT, FIRST_USED, LINK_HERE, Finding
from rui_common.vocabulary.kinds import NodeKind
from rui_common.vocabulary.queries import children
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import (
    ABSENT_PROP,
    BELONGS_IN,
    HINTS_IN_PLACE,
    KEEP_CONTENT,
    KEEP_CONTENT_TOO,
    KEEP_WORDS,
    LEAVE_OUT,
    LEAVE_OUT_PLANNED,
    MESSAGES,
    MOVE_CONTENT,
    PLANNED,
    REMOVE,
    SEND_INNER,
    TOP_LEVEL_ONLY,
    UNKNOWN_PROP,
    WRONG_TYPE,
)
from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary
from rui_common.vocabulary.signatures import inlined, legend, nodes_below, signature

MAX_IN_MESSAGE = 200
MAX_SHOWN = 40
"""Characters of a value that a message, or a hint, repeats (docs/decisions.md, section 3)."""

MAX_LISTED = 12
MAX_LIST_LENGTH = 110
"""Names that a hint lists, and their characters."""

ADDRESS_MARKS = "/.{$"
"""Marks of paths and templates, which a required binding is made of, in a text."""

MAX_VISITED = 200
"""Values that are searched for texts. Bounds the time for large values."""

as_json = json.JSONEncoder(ensure_ascii=False).encode
"""Encodes a value for a hint; `json.dumps` would create an encoder per call."""


def shorten(text: str, limit: int = MAX_SHOWN) -> str:
    """Return `text`, cut to `limit` characters, of which the last is an ellipsis then."""
    if len(text) <= limit:
        return text
    return text[: limit - 1] + "…"


def path_text(path: Path) -> str:
    """Return a path in words for a hint; long names and long paths are cut."""
    steps = tuple(shorten(step) if isinstance(step, str) else step for step in path)
    return shorten(format_path(steps), 2 * MAX_SHOWN)


def message_of(finding: Finding) -> str:
    """Return the message template of section 7.3 with its placeholder replaced."""
    before, _, rest = MESSAGES[finding.code][0].partition("{")
    placeholder, _, after = rest.partition("}")
    if not placeholder:
        return before
    return before + shorten(_replacement(finding, placeholder), MAX_IN_MESSAGE) + after


def _replacement(finding: Finding, placeholder: str) -> str:
    if placeholder == "prop":
        return property_name(finding.path)
    if placeholder == "blockType":
        if finding.shape is None:
            return ""
        return finding.shape.name
    if isinstance(finding.got, str):
        return finding.got
    if finding.got is ABSENT:
        return ""
    return as_json(finding.got)


def closest_match(finding: Finding) -> str | None:
    """Return the allowed name, or the well-formed value, that is probably meant; None if there is none."""
    if finding.match:
        return finding.match
    if finding.rule == UNKNOWN_PROP:
        meant = meant_property(str(finding.path[-1]), finding.shape, finding.allowed, finding.got)
        return None if _contains_document(finding) else meant
    if not isinstance(finding.got, str):
        return None
    corrected = _corrected(finding, finding.got)
    if corrected is not None:
        return corrected
    is_reference = finding.prop is not None and finding.prop.uses is not None
    if is_reference or finding.expected:
        return None
    return nearest(finding.got, finding.allowed)


def _corrected(finding: Finding, text: str) -> str | None:
    """Return the well-formed value that a malformed one certainly means."""
    if finding.kind is None or finding.prop is None or not _is_malformed(finding):
        return None
    for value, is_certain in finding.kind.corrections(text, finding.prop.example):
        if is_certain and isinstance(value, str):
            return value
    name = kebab_case(text)
    if finding.prop.defines is not None and finding.kind.accepts(name):
        return name
    return None


def meant_property(key: str, shape: Shape | None, absent: Iterable[str], value: object = ABSENT) -> str | None:
    """Return the absent property that an unknown key is another system's word, or a misspelling, of; or None.

    Of several properties that a word is used for, the first one with the JSON type of `value` is returned. A property
    with fixed values is only meant with one of them.
    """
    props = [] if shape is None else [shape.props[name] for name in absent]
    props = [prop for prop in props if not prop.kind.values or str(value).lower() in map(str.lower, prop.kind.values)]
    word = squash(key)
    meant = [prop for prop in props if prop.is_called(word)]
    if meant:
        return next((prop for prop in meant if _has_type(value, prop.kind)), meant[0]).name
    if word in _words_of(VOCABULARY):
        return None
    return nearest(key, [prop.name for prop in props])


@cache
def _words_of(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the names of all properties in other systems: none of them is a misspelling."""
    shapes = vocabulary.shapes.values()
    return frozenset(word for shape in shapes for prop in shape.all_props for word in prop.synonyms.split())


def _has_type(value: object, kind: Kind) -> bool:
    violation = kind.violation(value)
    return violation is None or not violation.is_wrong_type


def _contains_document(finding: Finding) -> bool:
    """Return whether an unknown property of the root contains a document."""
    if len(finding.path) > 1 or finding.shape is None or not isinstance(finding.got, dict):
        return False
    return len(finding.got.keys() & finding.shape.props.keys()) > 1


class Advice(NamedTuple):
    """A part of a hint.

    Attributes:
        text: the sentence.
        repeated: what a later hint of the same answer contains instead.
    """

    text: str
    repeated: str


def hint_of(finding: Finding, vocabulary: Vocabulary = VOCABULARY) -> str:
    """Return how to fix a finding, without signatures: the hint of section 7.3 and what this finding needs."""
    return " ".join(advice.text for advice in [*_advice(finding, vocabulary), *_keys_around(finding)])


def error_items(findings: Iterable[Finding], vocabulary: Vocabulary = VOCABULARY) -> list[dict[str, str]]:
    """Return the items of ``errors[]`` of one answer (section 2.5 of the specification)."""
    hints = AnswerHints(vocabulary)
    return [
        {
            "path": format_path(finding.path),
            "code": finding.code,
            "message": message_of(finding),
            "hint": hints.hint(finding),
        }
        for finding in findings
    ]


class AnswerHints:
    """Words the hints of one answer: each signature is in the first hint that concerns its shape.

    Args:
        vocabulary: the vocabulary of the findings.
    """

    def __init__(self, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._vocabulary = vocabulary
        self._shown: set[Shape] = set()
        self._given: set[str] = set()

    def hint(self, finding: Finding) -> str:
        """Return the hint without what earlier hints of the answer contain; call it once for each finding."""
        new = self.new_signatures(finding)
        keys = _keys_around(finding)
        if new:  # a signature contains the keys
            self._given.update(part.text for part in keys)
        parts = [*_advice(finding, self._vocabulary), *keys]
        sentences = [part.repeated if part.text in self._given else part.text for part in parts]
        self._given.update(part.text for part in parts)
        return " ".join(sentence for sentence in [*sentences, *new] if sentence)

    def new_signatures(self, finding: Finding) -> list[str]:
        """Return the signatures that explain a finding and were not returned before. The legend follows the first."""
        new = [shape for shape in _explained_by(finding) if shape not in self._shown]
        parts = [f"{signature(shape)}." for shape in new]
        if new and not self._shown:
            parts.append(legend(self._vocabulary))
        self._shown.update(part for shape in new for part in inlined(shape))
        return parts


def _explained_by(finding: Finding) -> list[Shape]:
    """Return the shapes whose signatures explain a finding, that of the object around it first."""
    shapes: list[Shape] = []
    if finding.shape is not None and (finding.got is ABSENT or finding.rule == UNKNOWN_PROP):
        shapes.append(finding.shape)
    if finding.kind is not None and finding.kind.inner_shapes:
        around = [inlined(shape) for shape in shapes]
        shapes += [
            shape for shape in finding.kind.inner_shapes
            if not shape.is_node and not any(shape in parts for parts in around)
        ]  # fmt: skip
        shapes += nodes_below(finding.kind)
    return list(dict.fromkeys(shapes))


def _keys_around(finding: Finding) -> list[Advice]:
    """Return the sentence with the properties of the object around an unknown or absent property."""
    if finding.shape is None or finding.rule not in (UNKNOWN_PROP, ABSENT_PROP):
        return []
    shape = finding.shape
    keys = _listed(tuple(prop.name for prop in shape.all_props))
    return [Advice(f"Keys of {shape.name}: {keys}{', …' if shape.open else ''}.", "")]


def _advice(finding: Finding, vocabulary: Vocabulary) -> list[Advice]:
    """Return the hint of section 7.3 and what this finding needs. Later hints do not repeat lists and forms."""
    opening = _opening(finding)
    match = closest_match(finding)
    if finding.rule == UNKNOWN_PROP:
        return [_always(opening), _about_content(finding, match, vocabulary)]
    parts = [_always(opening)]
    if finding.expected and finding.expected not in opening:
        parts.append(Advice(f"Expected {finding.expected}.", ""))
    if not all(name in opening for name in finding.allowed):
        parts.append(Advice(f"Allowed: {_listed(finding.allowed)}.", ""))
    sentences = []
    for path, note in finding.related:
        if note == FIRST_USED:
            sentences.append(f"First used at {path_text(path)}.")
        elif note == LINK_HERE:
            sentences.append(f"Nothing in {path_text(path)} links to {_shown(finding.got)}.")
    sentences += [*_received(finding, match), *_other_words(finding)]
    if isinstance(finding.kind, NodeKind):  # where a node of this type is allowed, if that is in an allowed type
        owners = [shape.name for shape in finding.kind.shapes if finding.got in children(shape)]
        sentences += [f"Put it into a {name}." for name in owners]
    if finding.rule == PLANNED and isinstance(finding.kind, NodeKind):
        sentences.append(LEAVE_OUT_PLANNED)
    return parts + [_always(sentence) for sentence in sentences]


def _received(finding: Finding, match: str | None) -> Iterator[str]:
    """Yield the sentence about a value that is present and wrong."""
    if match is not None:
        yield f"Got {_shown(finding.got)}; did you mean {_quote(match)}?"
    elif finding.got is None and finding.prop is not None and not finding.prop.required:
        yield LEAVE_OUT
    elif _is_number(finding.got) and finding.kind is not None and finding.kind.accepts(as_json(finding.got)):
        yield f"Got {_shown(finding.got)}, a number: put it in quotes."
    elif _is_malformed(finding) and not (isinstance(finding.got, str) and _shown(finding.got) in message_of(finding)):
        yield f"Got {_shown(finding.got)}."


def _always(sentence: str) -> Advice:
    return Advice(sentence, sentence)


def _is_malformed(finding: Finding) -> bool:
    """Return whether the value itself, rather than its absence or what it refers to, is the fault."""
    if finding.got is ABSENT or finding.kind is None:
        return False
    violation = finding.kind.violation(finding.got)
    return violation is not None and violation.rule == finding.rule


def _other_words(finding: Finding) -> list[str]:
    """Return which further properties of an open object are other systems' words for absent ones."""
    if finding.shape is None or not finding.shape.open or finding.around is None:
        return []
    sentences = []
    for prop in finding.shape.all_props:
        words = [key for key in finding.around if len(key) < MAX_SHOWN and squash(key) in prop.synonyms.split()]
        if words and prop.name not in finding.around:
            sentences.append(f"Got {_quote(min(words))}; did you mean {_quote(prop.name)}?")
    return sentences


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _opening(finding: Finding) -> str:
    hint = HINTS_IN_PLACE.get(finding.rule, MESSAGES[finding.code][1])
    expected = finding.expected
    if finding.allowed and not expected:
        expected = f"one of {_listed(finding.allowed)}" if len(finding.allowed) > 1 else _listed(finding.allowed)
        if finding.prop is not None and finding.prop.note:
            expected += f" ({finding.prop.note})"
    elif finding.rule == WRONG_TYPE and finding.kind is not None and finding.kind.form not in expected:
        expected += f": {finding.kind.form}"
    return hint.replace("{expected}", expected)


def _about_content(finding: Finding, match: str | None, vocabulary: Vocabulary) -> Advice:
    """Return what to do with an unknown property, without losing its content."""
    if match is not None:
        return _always(f"Got {_quote(str(finding.path[-1]))}; did you mean {_quote(match)}?")
    shape = finding.shape
    absent = [] if shape is None else [shape.props[name] for name in finding.allowed]
    is_incomplete = any(prop.required for prop in absent)
    if shape is None or not has_content(finding.got, with_numbers=is_incomplete):
        return _always(REMOVE)
    place = _place_of_content(finding, shape, absent, vocabulary)
    if place is not None:
        return _always(place)
    if is_incomplete and _may_be_kept(finding.got, absent):
        free = tuple(prop.name for prop in absent if _may_hold_content(prop))
        names = free or tuple(prop.name for prop in absent)
        return Advice(KEEP_CONTENT.replace("{names}", _listed(names)), KEEP_CONTENT_TOO)
    return _always(MOVE_CONTENT if isinstance(finding.got, dict | list) else KEEP_WORDS)


def _place_of_content(finding: Finding, shape: Shape, absent: list[Prop], vocabulary: Vocabulary) -> str | None:
    """Return the sentence with the one place where the content of an unknown property belongs, if that is known."""
    name = str(finding.path[-1])
    if _contains_document(finding):
        return SEND_INNER.replace("{name}", _quote(name))
    if name in vocabulary.root.props and shape is not vocabulary.root:
        return TOP_LEVEL_ONLY.replace("{name}", name)
    owner = _owner(name, finding.got, shape, absent)
    if owner is None:
        return None
    return BELONGS_IN.replace("{name}", _quote(owner))


def _owner(name: str, value: object, shape: Shape, absent: list[Prop]) -> str | None:
    """Return the present property that other systems call so, or the absent one with such a property in it."""
    word = squash(name)
    for prop in shape.props.values():
        is_free = not prop.kind.values and prop.defines is None
        if is_free and prop not in absent and prop.is_called(word) and _has_type(value, prop.kind):
            return prop.name
    for prop in absent:
        parts = [part for inner in prop.kind.inner_shapes if not inner.is_node for part in inner.all_props]
        if prop.required and any(part.is_called(word) and part.kind.accepts(value) for part in parts):
            return prop.name
    return None


def _may_be_kept(value: object, absent: list[Prop]) -> bool:
    """Return whether a required property may hold a value. Where none holds text, words have no place."""
    if not isinstance(value, str) or any(mark in value for mark in ADDRESS_MARKS):
        return True
    return any(prop.required and _holds_text(prop.kind) for prop in absent)


def _may_hold_content(prop: Prop) -> bool:
    """Return whether the content of an author fits: it is no fixed value, and no optional value of a strict form."""
    return not prop.kind.values and (prop.required or _holds_text(prop.kind))


@cache
def _holds_text(kind: Kind) -> bool:
    inner_props = [prop for shape in kind.inner_shapes for prop in shape.all_props]
    return kind.is_free_text or any(_holds_text(prop.kind) for prop in inner_props)


def has_content(value: object, *, with_numbers: bool) -> bool:
    """Return whether a value contains text, or a number, of the author. Large values count as content."""
    pending = [value]
    for _ in range(MAX_VISITED):
        if not pending:
            return False
        one = pending.pop()
        if isinstance(one, str) and one.strip():
            return True
        if with_numbers and _is_number(one):
            return True
        if isinstance(one, dict):
            pending += [*one.values()][:MAX_VISITED]
        elif isinstance(one, list):
            pending += one[:MAX_VISITED]
    return True


def _listed(names: tuple[str, ...]) -> str:
    """Return names as a list, cut to `MAX_LISTED` names and `MAX_LIST_LENGTH` characters."""
    listed: list[str] = []
    length = 0
    for name in names[:MAX_LISTED]:
        quoted = _quote(name)
        length += len(quoted) + 2
        if listed and length > MAX_LIST_LENGTH:
            break
        listed.append(quoted)
    if len(listed) < len(names):
        listed.append(f"… ({len(names) - len(listed)} more)")
    return ", ".join(listed)


def _quote(name: str) -> str:
    return as_json(shorten(name, MAX_SHOWN + 24))


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, str):
        return as_json(shorten(value))
    return shorten(as_json(value))
