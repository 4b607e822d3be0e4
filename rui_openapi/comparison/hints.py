"""The hints of warnings: the name that is meant, and the names that exist."""

from collections.abc import Iterable
from typing import NamedTuple

from rui_common.json_values import as_json
from rui_common.suggest import nearest
from rui_common.syntax.paths import Path
from rui_common.texts import shorten
from rui_common.validation.wording import MAX_IN_MESSAGE
from rui_openapi.bindings import Block
from rui_openapi.description.api import Api
from rui_openapi.description.path_index import path_only
from rui_openapi.description.schemas import Facts

MAX_NAMES = 40  # names that a hint lists: all of most responses
MAX_TEXTS = 20  # texts that may be written instead


class Advice(NamedTuple):
    """How to fix a warning."""

    text: str  # sentences after the hint of the warning; ``""`` for none
    # the texts that may be written instead, the likeliest first; None in it is to remove the text
    texts: tuple[str | None, ...] = ()
    path: Path = ()  # the path of the text that they replace, if it is another than that of the warning


_SUPERFLUOUS = Advice("The response itself fits; leave the value path out.", (None,))


def meant(name: str, text: str = "") -> Advice:
    """Return the advice to write a name, with more sentences."""
    return Advice(f"Did you mean {as_json(name)}? {text}".rstrip(), (name,))


def listed(names: Iterable[str]) -> str:
    """Return names in quotes, and how many are left out."""
    texts = [as_json(shorten(name, MAX_IN_MESSAGE)) for name in names]
    shown = ", ".join(texts[:MAX_NAMES])
    if len(texts) > MAX_NAMES:
        return f"{shown} and {len(texts) - MAX_NAMES} more"
    return shown


def path_advice(api: Api, path: str) -> Advice:
    """Return the advice for a path without a GET operation."""
    match = api.find(path)
    if match.meant:
        return meant(match.meant + path.removeprefix(path_only(path)))
    if not match.similar:
        return Advice("")
    return Advice(f"Similar paths: {listed(match.similar)}.", match.similar)


def value_advice(api: Api, block: Block) -> Advice:
    """Return the advice for a value path that leads to no value."""
    response = block.response(api)
    candidate = _corrected(api, response, block.select.value)
    if candidate is not None and api.value(response, candidate) is not None:
        return meant(candidate)
    names = block.select.value.split(".")
    last, missing = api.follow(response, block.select.value)
    known = names[: -len(missing)]
    fitting = [*block.values(api)]
    named = [path for path in fitting if path.split(".")[-1] == names[-1]]
    for paths in (named, [] if known else fitting):
        if len(paths) == 1:
            return meant(paths[0])
    if not fitting and block.shows_all(response):
        return _SUPERFLUOUS
    subject = "The response"
    if known:
        subject = as_json(".".join(known))
    text = f"{subject} is {last.type_text()}."
    if last.properties:
        text = f"{subject} has {listed(last.properties)}."
    elif last.may_be_list:
        text = f"{subject} is a list, which a value path cannot enter."
    return Advice(text, tuple(fitting[:MAX_TEXTS]))


def choice_advice(api: Api, block: Block) -> Advice:
    """Return the advice for a value of a wrong type: those that fit, below it or, if there are none, anywhere."""
    if block.shows_all(block.response(api)):
        return _SUPERFLUOUS
    noun = "single values"
    if block.plan.field:
        noun = "lists"
    paths = [*block.values(api)]
    chosen = [path for path in paths if path.startswith(f"{block.select.value}.")] or paths
    if not chosen:
        return Advice(f"This response has no {noun}.")
    if len(chosen) == 1:
        return meant(chosen[0])
    return Advice(f"The {noun} of this response: {listed(chosen)}.", tuple(chosen[:MAX_TEXTS]))


def field_advice(api: Api, row: Facts, name: str) -> Advice:
    """Return the advice for a property that the rows do not have."""
    if not row.properties:
        return Advice(f"Each row is {row.type_text()}.")
    text = f"All of them: {listed(row.properties)}."
    candidate = _corrected(api, row, name)
    if candidate is not None:
        return meant(candidate, text)
    scalars = [path for path, facts in api.values_in(row) if facts.may_be_scalar]
    same = [path for path in scalars if name in path.split(".")]
    if same:
        text = f"{text} Inside them: {listed(same)}."
    return Advice(text, tuple(dict.fromkeys([*same, *scalars]))[:MAX_TEXTS])


def _corrected(api: Api, facts: Facts, path: str) -> str | None:
    """Return a path with the nearest name in place of the first one that does not exist, or None."""
    last, missing = api.follow(facts, path)
    if not missing:  # `""` is the path of the value itself, and also the name of a property that does not exist.
        return None
    name = nearest(missing[0], last.properties)
    if name is None:
        return None
    known = path.split(".")[: -len(missing)]
    return ".".join([*known, name, *missing[1:]])


def option_advice(value: str, allowed: list[str]) -> Advice:
    """Return the advice for a value that is not in an enum."""
    text = f"All of them: {listed(allowed)}."
    match = nearest(value, allowed)
    if match is None:
        return Advice(text, tuple(allowed[:MAX_TEXTS]))
    return meant(match, text)


def inner_advice(api: Api, name: str, facts: Facts) -> Advice:
    """Return the advice for a property that no type can show: its own properties."""
    inner = [f"{name}.{path}" for path, found in api.values_in(facts) if found.may_be_scalar][:MAX_TEXTS]
    return Advice(f"No type fits; show one of its properties: {listed(inner) or 'none is known'}.", tuple(inner))
