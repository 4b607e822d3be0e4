"""The message and the hint of a finding (section 7.3 of the specification; docs/decisions.md, section 3)."""

from __future__ import annotations

from rui_common.suggest import nearest
from rui_common.syntax.paths import format_path, property_name
from rui_common.validation.example_values import with_free_ids
from rui_common.validation.hints import as_json
from rui_common.validation.model import ABSENT, FIRST_USED, NOT_COMPUTED, SuggestedNames
from rui_common.vocabulary.rules import MESSAGES, RULE_HINTS, RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.validation.model import FindingData

MAX_SHOWN = 40
"""Characters of a value that a hint repeats (docs/decisions.md, section 3)."""

MAX_SHOWN_NAME = 66
"""Characters of a name that a hint repeats: an id of maximum length with its quotes."""

MAX_LISTED = 12
"""Names that a hint lists."""


def message(finding: FindingData) -> str:
    """Return the message template of section 7.3 with its placeholder replaced."""
    template, _ = MESSAGES[RULES[finding.rule].code]
    before, brace, rest = template.partition("{")
    if not brace:
        return template
    placeholder, _, after = rest.partition("}")
    return before + _replacement(finding, placeholder) + after


def _replacement(finding: FindingData, placeholder: str) -> str:
    if placeholder == "prop":
        return property_name(finding.path)
    if placeholder == "blockType":
        return finding.owner
    if isinstance(finding.got, str):
        return finding.got
    return _as_json(finding.got)


def hint(finding: FindingData) -> str:
    """Return the hint of section 7.3, followed by details of this finding.

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
    _, opening = MESSAGES[RULES[finding.rule].code]
    sentences = [opening]
    match = closest_match(finding)
    rule_hint = RULE_HINTS.get(finding.rule)
    if rule_hint and finding.owner:
        sentences.append(rule_hint.format(owner=finding.owner))
    if finding.expected:
        sentences.append(f"Expected {finding.expected}.")
    if finding.names:
        sentences.append(f"Allowed: {_listed(finding)}.")
    if finding.example is not ABSENT and match is None:
        sentences.append(f"For example {_example(finding, suggested_names)}.")
    if finding.suggestion is not None:
        sentences.append(finding.suggestion.to_text(finding.used_names, suggested_names))
    sentences += [f"First used at {format_path(path)}." for path, note in finding.related if note == FIRST_USED]
    if match is not None:
        sentences.append(f"Got {shorten(_as_json(finding.got))}; did you mean {_quote(match)}?")
    elif finding.got is not ABSENT:
        sentences.append(f"Got {shorten(_as_json(finding.got))}.")
    return " ".join(sentences)


def _listed(finding: FindingData) -> str:
    names = ", ".join(_quote(name) for name in finding.names[:MAX_LISTED])
    unlisted = len(finding.names) - MAX_LISTED
    if unlisted > 0:
        names += f" and {unlisted} more"
    return names


def _example(finding: FindingData, suggested_names: SuggestedNames) -> str:
    value = _as_json(with_free_ids(finding.example, finding.used_names, suggested_names))
    name = finding.path[-1] if finding.path else ""
    if isinstance(name, str) and finding.got is ABSENT:
        return f"{_quote(name)}: {value}"
    return value


def _quote(text: str) -> str:
    return shorten(as_json(text), MAX_SHOWN_NAME)


def _as_json(value: object) -> str:
    return "" if value is ABSENT else as_json(value)


def shorten(text: str, limit: int = MAX_SHOWN) -> str:
    """Return `text`, cut to `limit` characters, of which the last is an ellipsis then."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
