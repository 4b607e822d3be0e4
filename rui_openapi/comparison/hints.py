"""The hints of warnings: the name that is meant, and the names that exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from rui_common.suggest import nearest
from rui_common.validation.wording import as_json
from rui_openapi.description.api import Api, Place
from rui_openapi.description.operations import Operation
from rui_openapi.description.schemas import Facts

MAX_NAMES = 60
"""Names that a hint lists: all of most responses."""

MAX_LIST_LENGTH = 900
"""Characters of the names that a hint lists."""

MAX_VISITED = 400
"""Values of a response that are searched for a name."""

MAX_LEVELS = 4
"""Levels below the root of a response that are searched."""

MAX_ALTERNATIVES = 20
"""Texts that may be written instead."""

MAX_PATHS = 3
"""Paths with similar words that a hint lists."""

_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")


class Advice(NamedTuple):
    """How to fix a warning.

    Attributes:
        text: sentences after the hint of the warning; ``""`` for none.
        replacement: the text to write instead, or None if several are possible.
        alternatives: the texts that may be written instead, the likeliest first, if there is no replacement.
        is_superfluous: whether to remove the text.
    """

    text: str
    replacement: str | None = None
    alternatives: tuple[str, ...] = ()
    is_superfluous: bool = False


def meant(name: str) -> Advice:
    """Return the advice to write a name."""
    return Advice(f"Did you mean {as_json(name)}?", name)


def listed(names: Iterable[str]) -> str:
    """Return names in quotes, and how many are left out."""
    texts = [as_json(name) for name in names]
    shown: list[str] = []
    length = 0
    for text in texts[:MAX_NAMES]:
        length += len(text) + 2
        if shown and length > MAX_LIST_LENGTH:
            break
        shown.append(text)
    left_out = len(texts) - len(shown)
    return ", ".join(shown) + (f" and {left_out} more" if left_out else "")


def path_advice(api: Api, path: str, operation: Operation | None, suspect: str) -> Advice:
    """Return the advice for a path without a GET operation."""
    query = path[len(path.partition("?")[0]) :]
    closest = suspect or api.closest(path)
    if closest:
        return meant(closest + query)
    sentences = []
    if operation is not None and not operation.is_readable:
        sentences.append(f"The API has only {' and '.join(operation.others)} there.")
    similar = _similar_paths(api, path)
    if similar:
        sentences.append(f"Similar paths: {listed(similar)}.")
    return Advice(" ".join(sentences), alternatives=tuple(similar))


def _similar_paths(api: Api, path: str) -> list[str]:
    """Return the paths with GET that have the most words in common with a path."""
    words = _words(path.partition("?")[0])
    scored = []
    for operation in api.readable():
        others = _words(re.sub(r"\{[^}]*\}", "", operation.path))
        common = len(words & others)
        if common:
            scored.append((-common, len(others), operation.path))
    return [path for _, _, path in sorted(scored)[:MAX_PATHS]]


def _words(text: str) -> set[str]:
    return {word.lower().removesuffix("s") for word in _WORD.findall(text)}


def value_advice(api: Api, operation: Operation, place: Place, select: str, fits: Callable[[Facts], bool]) -> Advice:
    """Return the advice for a value path that leads to no value."""
    segments = select.split(".")
    candidate = _corrected(segments, place)
    if candidate is not None and api.place(operation, candidate).facts is not None:
        return meant(candidate)
    root = api.response(operation)
    fitting = [path for path, facts in values_in(api, root) if fits(facts)]
    named = [path for path in fitting if path.split(".")[-1] == segments[-1]]
    if len(named) == 1:
        return meant(named[0])
    if len(fitting) == 1 and not place.known:
        return meant(fitting[0])
    if not fitting and fits(root):
        return Advice("The response itself fits; leave the value path out.", is_superfluous=True)
    subject = as_json(".".join(place.known)) if place.known else "The response"
    text = f"{subject} is {place.last.type_text()}."
    if place.last.properties:
        text = f"{subject} has {listed(place.last.properties)}."
    elif place.last.may_be_list:
        text = f"{subject} is a list, which a value path cannot enter."
    return Advice(text, alternatives=tuple(fitting[:MAX_ALTERNATIVES]))


def choice_advice(api: Api, operation: Operation, start: str, noun: str, fits: Callable[[Facts], bool]) -> Advice:
    """Return the advice for a value of a wrong type: those that fit, below it or, if there are none, anywhere."""
    root = api.response(operation)
    if start and fits(root):
        return Advice("The response itself fits; leave the value path out.", is_superfluous=True)
    paths = [path for path, facts in values_in(api, root) if fits(facts)]
    chosen = [path for path in paths if path.startswith(f"{start}.")] or paths
    if not chosen:
        return Advice(f"This response has no {noun}.")
    if len(chosen) == 1:
        return meant(chosen[0])
    return Advice(f"The {noun} of this response: {listed(chosen)}.", alternatives=tuple(chosen[:MAX_ALTERNATIVES]))


def field_advice(api: Api, row: Facts, name: str) -> Advice:
    """Return the advice for a property that the rows do not have."""
    if not row.properties:
        return Advice(f"Each row is {row.type_text()}.")
    text = f"All of them: {listed(row.properties)}."
    candidate = _corrected(name.split("."), api.place_in(row, name))
    if candidate is not None:
        advice = meant(candidate)
        return advice._replace(text=f"{advice.text} {text}")
    scalars = [path for path, facts in values_in(api, row) if facts.may_be_scalar]
    same = [path for path in scalars if name in path.split(".")]
    if same:
        text = f"{text} Inside them: {listed(same[:MAX_ALTERNATIVES])}."
    return Advice(text, alternatives=tuple(dict.fromkeys([*same, *scalars]))[:MAX_ALTERNATIVES])


def _corrected(segments: list[str], place: Place) -> str | None:
    """Return a path with the nearest name where it ends, or None."""
    name = nearest(segments[len(place.known)], place.last.properties)
    if name is None:
        return None
    return ".".join([*place.known, name, *segments[len(place.known) + 1 :]])


def option_advice(value: str, allowed: list[str]) -> Advice:
    """Return the advice for a value that is not in an enum."""
    text = f"All of them: {listed(allowed)}."
    match = nearest(value, allowed)
    if match is None:
        return Advice(text, alternatives=tuple(allowed[:MAX_ALTERNATIVES]))
    advice = meant(match)
    return advice._replace(text=f"{advice.text} {text}")


def form_advice(fitting: list[str]) -> Advice:
    """Return the advice for a type that a value cannot be shown as."""
    replacement = fitting[0] if len(fitting) == 1 else None
    return Advice(f"These fit: {listed(fitting)}.", replacement, tuple(fitting))


def inner_advice(api: Api, name: str, facts: Facts) -> Advice:
    """Return the advice for a property that no type can show: its own properties."""
    inner = [f"{name}.{path}" for path, found in values_in(api, facts) if found.may_be_scalar][:MAX_ALTERNATIVES]
    if not inner:
        return Advice("No type fits; show one of its properties instead.")
    return Advice(f"No type fits; show one of its properties: {listed(inner)}.", alternatives=tuple(inner))


def values_in(api: Api, root: Facts) -> Iterator[tuple[str, Facts]]:
    """Yield the values that a value path can select, level by level, each with its path."""
    pending = [("", root)]
    visited = 0
    for _ in range(MAX_LEVELS):
        found = []
        for path, facts in pending:
            for name, schemas in facts.properties.items():
                visited += 1
                if visited > MAX_VISITED:
                    return
                inner = api.reader.facts(schemas)
                inner_path = f"{path}.{name}" if path else name
                yield inner_path, inner
                found.append((inner_path, inner))
        pending = found
