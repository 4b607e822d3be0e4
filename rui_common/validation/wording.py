"""The message and the hint of a finding (section 7.3 of the specification; docs/decisions.md, section 3)."""

from __future__ import annotations

from functools import cache

from rui_common.suggest import nearest
from rui_common.syntax.paths import property_name
from rui_common.validation.example_values import build_example
from rui_common.validation.hints import MAX_SHOWN, Changes, WriteInstead, as_json, path_text, shorten
from rui_common.validation.links import LinkHint
from rui_common.validation.model import ABSENT, FIRST_USED, NOT_COMPUTED, SuggestedNames
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import (
    HINTS_IN_PLACE,
    KEYS_OF_OBJECT,
    MESSAGES,
    REMOVE_OR_KEEP,
    RULES,
    TOP_LEVEL_ONLY,
    UNKNOWN_PROP,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_common.validation.model import FindingData

MAX_IN_MESSAGE = 200
"""Characters of a value that a message repeats (docs/decisions.md, section 3)."""

MAX_SHOWN_NAME = 66
"""Characters of a name that a hint repeats: an id of maximum length with its quotes."""

MAX_LISTED = 12
"""Names that a hint lists."""

MAX_LIST_LENGTH = 110
"""Characters of the names that a hint lists."""


def message(finding: FindingData) -> str:
    """Return the message template of section 7.3 with its placeholder replaced."""
    before, placeholder, after = _template(finding.rule)
    if not placeholder:
        return before
    return before + shorten(_replacement(finding, placeholder), MAX_IN_MESSAGE) + after


@cache
def _template(rule: str) -> tuple[str, str, str]:
    """Return the text before the placeholder of a message, the placeholder, and the text after it."""
    before, _, rest = MESSAGES[RULES[rule].code][0].partition("{")
    placeholder, _, after = rest.partition("}")
    return before, placeholder, after


def _replacement(finding: FindingData, placeholder: str) -> str:
    if placeholder == "prop":
        return property_name(finding.path)
    if placeholder == "blockType":
        return finding.owner
    if isinstance(finding.got, str):
        return finding.got
    if finding.got is ABSENT:
        return ""
    return as_json(finding.got)


def hint(finding: FindingData) -> str:
    """Return how to fix a finding: the gist of section 7.3 in words that fit the place, and details.

    The hint of a finding stays the same: the new names in it are reserved when it is first worded.
    """
    suggested = finding.suggested_names
    if suggested is None:
        return _hint(finding, SuggestedNames())
    key = (finding.path, finding.rule)
    if key not in suggested.hints:
        suggested.hints[key] = _hint(finding, suggested)
    return suggested.hints[key]


def closest_match(finding: FindingData) -> str | None:
    """Return the one of the allowed names that the value is a misspelling of, or None."""
    if isinstance(finding.match, str):
        return finding.match
    if finding.match is NOT_COMPUTED and isinstance(finding.got, str):
        return nearest(finding.got, finding.names)
    return None


def _hint(finding: FindingData, suggested_names: SuggestedNames) -> str:
    if isinstance(finding.suggestion, LinkHint):
        finding = finding.suggestion.complete(finding, suggested_names)
    match = closest_match(finding)
    is_unknown = finding.rule == UNKNOWN_PROP
    suggestion = finding.suggestion
    if isinstance(suggestion, Changes) and suggestion.is_whole:
        return suggestion.to_text(finding.used_names, suggested_names)
    sentences = [_opening(finding.rule, finding.owner, finding.expected)]
    if finding.expected and finding.rule not in HINTS_IN_PLACE:
        sentences.append(_expectation(finding))
    elif finding.names and not is_unknown and not _is_for_other_place(finding):
        sentences.append(f"Allowed: {_listed(finding.names)}.")
    if finding.example is not ABSENT and match is None:
        sentences += _example(finding, suggested_names)
    if suggestion is not None:
        sentences.append(suggestion.to_text(finding.used_names, suggested_names))
    elif is_unknown and match is None:
        sentences += _top_level_only(finding) or _keep_or_remove()
    sentences += [f"First used at {path_text(path)}." for path, note in finding.related if note == FIRST_USED]
    if match is not None:
        sentences.append(f"Got {_shown(finding.got)}; did you mean {_quote(match)}?")
    elif finding.got is not ABSENT and not is_unknown and not isinstance(finding.suggestion, WriteInstead):
        sentences.append(f"Got {_shown(finding.got)}.")
    return " ".join(sentences)


def _is_for_other_place(finding: FindingData) -> bool:
    """Return whether the suggested type is not allowed at this place, which another finding reports."""
    return isinstance(finding.suggestion, WriteInstead) and finding.suggestion.value not in finding.names


@cache
def _opening(rule: str, owner: str, expected: str) -> str:
    """Return the first sentence: the gist of section 7.3, or the same in words that fit the object."""
    words = HINTS_IN_PLACE.get(rule)
    if words is None:
        return MESSAGES[RULES[rule].code][1]
    shape = VOCABULARY.shapes.get(owner)
    if shape is not None:
        keys = _in_list([f"`{name}`" for name in shape.props], len(shape.props))
        if shape.open:
            keys += " and any other"
        words += KEYS_OF_OBJECT.format(owner=owner, keys=keys)
    return words.format(expected=expected) + "."


def _top_level_only(finding: FindingData) -> tuple[str, ...]:
    """Return the sentence on a property of the root in another object."""
    root = VOCABULARY.root
    if finding.got not in root.props or finding.owner == root.name:
        return ()
    return (TOP_LEVEL_ONLY.format(name=finding.got),)


@cache
def _keep_or_remove() -> tuple[str, ...]:
    """Return the sentence on an unknown property, with the object of the root that may contain any property."""
    for prop in VOCABULARY.root.props.values():
        if isinstance(prop.kind, ObjectKind) and prop.kind.shape.open and not prop.kind.shape.required:
            return (REMOVE_OR_KEEP.format(name=prop.name),)
    return ()


def _expectation(finding: FindingData) -> str:
    if not finding.names:
        return f"Expected {finding.expected}."
    return f"Expected {finding.expected} of type {_listed(finding.names)}."


def _listed(names: Sequence[str]) -> str:
    return _in_list([_quote(name) for name in names[:MAX_LISTED]], len(names))


def _in_list(words: list[str], count: int) -> str:
    """Return as many of the first words of a list as a hint has room for, at least one, and the number of the others.

    Args:
        words: at least the first `MAX_LISTED` words.
        count: the number of all words.
    """
    listed = words[:1]
    length = len("".join(listed))
    for word in words[1:MAX_LISTED]:
        length += len(word) + 2
        if length > MAX_LIST_LENGTH:
            break
        listed.append(word)
    text = ", ".join(listed)
    unlisted = count - len(listed)
    if unlisted:
        text += f" and {unlisted} more"
    return text


def _example(finding: FindingData, suggested_names: SuggestedNames) -> list[str]:
    """Return a sentence with the example, or none if it equals what was sent."""
    example = build_example(finding.example, finding.path, finding.got, finding.used_names, suggested_names)
    if example is ABSENT:
        return []
    value = as_json(example)
    name = finding.path[-1] if finding.path else ""
    if isinstance(name, str) and finding.got is ABSENT:
        value = f"{_quote(name)}: {value}"
    return [f"For example {value}."]


def _quote(text: str) -> str:
    return shorten(as_json(text[: MAX_SHOWN_NAME + 1]), MAX_SHOWN_NAME)


def _shown(value: object) -> str:
    """Return the value as JSON, cut."""
    if isinstance(value, str):
        value = value[: MAX_SHOWN + 1]
    return shorten(as_json(value), MAX_SHOWN)
