"""The message and the hint of a finding (section 7.3 of the specification; docs/decisions.md, section 3)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rui_common.json_values import as_json, is_number
from rui_common.nodes.node import Node
from rui_common.syntax.paths import Path, format_path, property_name
from rui_common.texts import MAX_SHOWN, shorten
from rui_common.validation.findings import ABSENT, Finding, Place, Placement
from rui_common.validation.meant import document_in, exchanged, is_address, is_one_word, limit_of, meant_by, renames
from rui_common.vocabulary.kinds import NodeKind, ObjectKind
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.queries import children
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import ABSENT_PROP, HINTS_IN_PLACE, MESSAGES, UNKNOWN_PROP, WRONG_TYPE
from rui_common.vocabulary.schema import Shape, Vocabulary
from rui_common.vocabulary.signatures import inlined, legend, nodes_below, signature

MAX_IN_MESSAGE = 200  # maximum length of a value in a message (docs/decisions.md, section 3)
MAX_LISTED = 12  # maximum number of names in a list of a hint
MAX_LIST_LENGTH = 110  # maximum length of the list

_WRONG_VALUES = (Problem.WRONG_TYPE, Problem.MALFORMED, Problem.NOT_ALLOWED, Problem.MISPLACED)
"""The problems whose hints repeat the value, unless the message has it."""


class Sentence(NamedTuple):
    """A part of a hint."""

    text: str
    once: bool = False  # whether an answer contains it in one hint only
    in_signature: bool = False  # whether the signature of the object around it contains the same


def path_text(path: Path) -> str:
    steps = tuple(shorten(step) if isinstance(step, str) else step for step in path)
    return shorten(format_path(steps), 2 * MAX_SHOWN)


# Messages -------------------------------------------------------------------------------------------------------------


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
    if placeholder == "blockType" and finding.shape is not None:
        return finding.shape.name
    if placeholder == "blockType":
        return ""
    if isinstance(finding.got, str):
        return finding.got
    if finding.got is ABSENT:
        return ""
    return as_json(finding.got)


# Hints ----------------------------------------------------------------------------------------------------------------


def hint_of(finding: Finding) -> str:
    """Return how to fix a finding, without signatures: the hint of section 7.3 and what this finding needs."""
    return " ".join(sentence.text for sentence in _sentences(finding))


def error_items(findings: Iterable[Finding], vocabulary: Vocabulary = VOCABULARY) -> list[dict[str, str]]:
    """Return the items of ``errors[]`` of one answer (section 2.5 of the specification)."""
    hints = AnswerHints(vocabulary)
    return [
        {"path": format_path(one.path), "code": one.code, "message": message_of(one), "hint": hints.hint(one)}
        for one in findings
    ]


class AnswerHints:
    """Writes the hints of one answer: each signature is in the first hint that concerns its shape."""

    def __init__(self, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._vocabulary = vocabulary
        self._shown: set[Shape] = set()
        self._given: set[str] = set()

    def hint(self, finding: Finding) -> str:
        """Return the hint without what earlier hints of the answer contain; call it once for each finding."""
        new = self.new_signatures(finding)
        sentences = _sentences(finding)
        if new:
            self._given.update(sentence.text for sentence in sentences if sentence.in_signature)
            if finding.shape is not None:
                self._given.add(_keys_of(finding.shape).text)
        texts = [sentence.text for sentence in sentences if not (sentence.once and sentence.text in self._given)]
        self._given.update(texts)
        return " ".join([*texts, *new])

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
    if finding.shape is not None and finding.problem in (Problem.ABSENT, Problem.UNKNOWN):
        shapes.append(finding.shape)
    kind = finding.kind
    if kind is None or (finding.problem is Problem.PLANNED and not isinstance(kind, NodeKind)):
        return shapes
    around = [inlined(shape) for shape in shapes]
    shapes += [
        shape for shape in kind.inner_shapes if not shape.is_node and not any(shape in parts for parts in around)
    ]  # fmt: skip
    return list(dict.fromkeys([*shapes, *nodes_below(kind)]))


def _sentences(finding: Finding) -> list[Sentence]:
    """Return the hint of section 7.3 and what this finding needs."""
    opening = _opening(finding)
    sentences = [Sentence(opening)]
    if finding.problem is Problem.UNKNOWN:
        return [*sentences, *_about_unknown(finding), *_keys_around(finding)]
    if finding.expected and finding.expected not in opening:
        sentences.append(Sentence(f"Expected {finding.expected}.", once=True))
    if not all(name in opening for name in finding.allowed):
        sentences.append(Sentence(f"Allowed: {listed(finding.allowed)}.", once=True))
    match finding.problem:
        case Problem.ABSENT:
            sentences += [*_about_absent(finding), *_keys_around(finding)]
        case Problem.DUPLICATE:
            sentences += [Sentence(f"First used at {path_text(path)}.") for path in finding.related]
        case Problem.UNUSED:
            got = _shown(finding.got)
            sentences += [Sentence(f"Nothing in {path_text(path)} links to {got}.") for path in finding.related]
            sentences += _undefined_use(finding)
        case Problem.MISPLACED:
            sentences += [*_about_value(finding), *_where_allowed(finding)]
        case Problem.PLANNED:
            if isinstance(finding.kind, NodeKind):
                sentences.append(Sentence("Leave it out, or keep its words in a Text."))
        case _:
            sentences += _about_value(finding)
    return sentences


def _opening(finding: Finding) -> str:
    hint = HINTS_IN_PLACE.get(finding.rule, MESSAGES[finding.code][1])
    expected = finding.expected
    if finding.allowed and not expected:
        expected = listed(finding.allowed)
        if len(finding.allowed) > 1:
            expected = f"one of {expected}"
        if finding.prop is not None and finding.prop.note:
            expected += f" ({finding.prop.note})"
    elif finding.rule == WRONG_TYPE and finding.kind is not None and finding.kind.form not in expected:
        form = finding.kind.form
        expected = form if form.startswith(expected) else f"{expected}: {form}"
    return hint.replace("{expected}", expected)


def _about_value(finding: Finding) -> Iterator[Sentence]:
    got = finding.got
    kind = finding.kind
    meant = meant_by(finding)
    if meant is not None:
        is_key = finding.problem is Problem.UNTYPED
        yield _did_you_mean(meant.text, finding.step) if is_key else _did_you_mean(got, meant.text)
        if meant.advice:
            yield Sentence(meant.advice)
    elif got is None and finding.prop is not None and not finding.prop.required:
        yield Sentence("Leave it out: null is not a value of an optional property.")
    elif is_number(got) and kind is not None and kind.accepts(as_json(got)):
        yield Sentence(f"Got {_shown(got)}, a number: put it in quotes.")
    elif finding.problem in _WRONG_VALUES and not (isinstance(got, str) and _shown(got) in message_of(finding)):
        yield Sentence(f"Got {_shown(got)}.")
    yield from _about_exchanged(finding)
    if finding.advice:
        yield Sentence(finding.advice)
    if finding.problem is Problem.WRONG_TYPE:
        yield from _undefined_names(finding)
    if finding.problem is Problem.DANGLING and meant is None:
        yield from _definition_meant(finding)


def _definition_meant(finding: Finding) -> Iterator[Sentence]:
    """Yield the malformed definition that means a dangling name, or the only name that is not used."""
    scope = finding.scope
    if scope is not None and str(finding.got) in scope.misspelt:
        yield Sentence(f"Or correct {path_text(finding.related[0])}, which means it.")
    elif scope is not None and len(scope.unused) == 1:
        yield Sentence(f"Not used yet: {listed(scope.unused)}.")


def _about_exchanged(finding: Finding) -> Iterator[Sentence]:
    pair = exchanged(finding)
    if pair is not None:
        home, key = map(_quote, pair)
        yield Sentence(f"Its content belongs in {home}, that of {key} in {_quote(str(finding.step))}.")


def _undefined_use(finding: Finding) -> Iterator[Sentence]:
    """Yield where an unused name may be meant: at the first use of a name that is not defined."""
    if finding.scope is None:
        return
    scope = finding.scope
    right = scope.right_name(str(finding.got))
    if right:
        yield Sentence(f"Or correct it to {_quote(right)}, as {path_text(scope.used[right][0].path)} names it.")
        return
    use = scope.replacements.get(str(finding.got)) or next(iter(scope.undefined_uses), None)
    if use is not None:
        yield Sentence(f"Or use it at {path_text(use.path)}, which names nothing.")


def _about_absent(finding: Finding) -> Iterator[Sentence]:
    """Yield which further property of the object is meant, else the values and names that may be added."""
    document = document_in(finding.node)
    if document:
        yield Sentence(_PLACES[Place.DOCUMENT].format(_quote(document)), once=True)
    limit = limit_of(finding.node, finding.node.members)
    if limit:
        yield Sentence(limit)
    if finding.meant:
        yield _did_you_mean(finding.meant, finding.step)
    if finding.shape is not None and finding.shape.open:
        for rename in renames(finding.node):
            if rename.prop.name != finding.step:
                yield Sentence(f"{_quote(rename.key)} is called {_quote(rename.prop.name)} here.")
    if not finding.meant:
        yield from _values_to_add(finding)


def _values_to_add(finding: Finding) -> Iterator[Sentence]:
    """Yield the values that an absent property may have, if they are known."""
    kind = finding.kind
    scope = finding.scope
    if kind is None or finding.prop is None:
        return
    if kind.values:
        yield Sentence(f"Allowed: {listed(kind.values)}.", once=True, in_signature=True)
    if isinstance(kind, ObjectKind) and kind.shape.tightened:
        yield Sentence(f"It needs {listed(kind.shape.tightened)}, too.")
    if finding.prop.uses is not None and scope is not None and scope.definitions:
        yield Sentence(f"Allowed: {listed(scope.definitions)}.", once=True)
    yield from _undefined_names(finding)


def _undefined_names(finding: Finding) -> Iterator[Sentence]:
    """Yield the names that are used, and that a property could define."""
    scope = finding.scope
    if scope is None or finding.kind is None or finding.prop is None or finding.prop.defines is None:
        return
    names = tuple(name for name in scope.used if name not in scope.defined and finding.kind.accepts(name))
    if names:
        yield Sentence(f"Used and not defined: {listed(names)}.")


_PLACES = {
    Place.NOTHING: "Remove it.",
    Place.UNPLACED: "RUI has no place for it: leave it out.",
    Place.DOCUMENT: "Send the object in {} itself as the document.",
    Place.TOP_LEVEL: "Its content belongs in the property {} at the top level.",
    Place.PROPERTY: "Its content belongs in {}.",
    Place.PART_OF_TEXT: "Put it into the text of {}.",
    Place.ABSENT_PROPERTIES: "Keep what has a place.",
}
"""What to do with the content of an unknown property; ``{}`` are the names of the placement."""


def _about_unknown(finding: Finding) -> Iterator[Sentence]:
    """Yield what to do with an unknown property, without losing its content."""
    if finding.meant:
        yield _did_you_mean(finding.step, finding.meant)
        yield from _words_inside(finding, finding.meant)
        return
    limit = limit_of(finding.node, [str(finding.step)])
    if limit:
        yield Sentence(limit)
        return
    place, names = finding.placement or Placement(Place.NOTHING)
    if place is Place.PROPERTY and len(names) > 1:
        yield Sentence(f"Its content belongs in {_quote(names[0])}, as {_quote(names[1])}.")
    elif place in _PLACES:
        yield Sentence(_PLACES[place].format(listed(names)))
    else:
        yield _kept_elsewhere(finding.got)
    if place is Place.PROPERTY:
        yield from _words_inside(finding, names[0])
    if place is Place.ABSENT_PROPERTIES:
        yield Sentence(f"Absent here: {listed(names)}.", once=True)
    elif place in (Place.UNPLACED, Place.ELSEWHERE) and names:
        yield Sentence(f"It may stay in {listed(names)}, where no page shows it.", once=True)


def _kept_elsewhere(value: object) -> Sentence:
    if not isinstance(value, str) or is_address(value):
        return Sentence("Keep its content: move it into properties and nodes that RUI has.")
    if not is_one_word(value):
        return Sentence("Keep its words in a text that is shown.")
    return Sentence("Keep its words in a text that is shown, or leave it out.")


def _words_inside(finding: Finding, name: str) -> Iterator[Sentence]:
    """Yield what the properties in a misnamed object are called in a property that may contain anything."""
    if finding.shape is None or not isinstance(finding.got, dict):
        return
    prop = finding.shape.prop(name)
    if prop is None or not isinstance(prop.kind, ObjectKind) or not prop.kind.shape.open:
        return
    for inner in renames(Node(finding.got, prop.kind, prop.kind.shape)):
        yield Sentence(f"{_quote(inner.key)} is called {_quote(inner.prop.name)} in it.")


def _where_allowed(finding: Finding) -> Iterator[Sentence]:
    if isinstance(finding.kind, NodeKind):
        for shape in finding.kind.shapes:
            if finding.got in children(shape):
                yield Sentence(f"Put it into a {shape.name}.")


def _keys_around(finding: Finding) -> Iterator[Sentence]:
    shape = finding.shape
    if shape is None or finding.rule not in (UNKNOWN_PROP, ABSENT_PROP):
        return
    yield _keys_of(shape)


def _keys_of(shape: Shape) -> Sentence:
    keys = listed([prop.name for prop in shape.all_props])
    if shape.open:
        keys += ", …"
    return Sentence(f"Keys of {shape.name}: {keys}.", once=True, in_signature=True)


def _did_you_mean(got: object, meant: str | int) -> Sentence:
    return Sentence(f"Got {_shown(got)}; did you mean {_quote(str(meant))}?")


def listed(names: Sequence[str]) -> str:
    """Return names in quotes, separated by commas; cut to `MAX_LISTED` names and `MAX_LIST_LENGTH` characters."""
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
    """Return a value as JSON, cut to `MAX_SHOWN` characters; of an object or array, only its type."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, str):
        return as_json(shorten(value))
    return shorten(as_json(value))
