"""The suggestions of warnings: the name that is meant, and the names that exist."""

from collections.abc import Iterable

from rui_common.json_values import as_json
from rui_common.problems.finding import MAX_IN_MESSAGE
from rui_common.problems.suggestion import Suggestion
from rui_common.suggest import nearest
from rui_common.texts import shorten
from rui_openapi.bindings import Block
from rui_openapi.comparison.api_lint import Replaceable
from rui_openapi.description.api import Api
from rui_openapi.description.path_index import path_only
from rui_openapi.description.schemas import Facts

MAX_NAMES = 40  # names that a hint lists: all of most responses
MAX_TEXTS = 20  # texts that may be written instead


def listed(names: Iterable[str]) -> str:
    """Return names in quotes, and how many are left out."""
    texts = [as_json(shorten(name, MAX_IN_MESSAGE)) for name in names]
    shown = ", ".join(texts[:MAX_NAMES])
    if len(texts) > MAX_NAMES:
        return f"{shown} and {len(texts) - MAX_NAMES} more"
    return shown


def suggest_path(api: Api, path: str, text: Replaceable) -> list[Suggestion]:
    """Return the suggestions for a path without a GET operation."""
    match = api.find(path)
    if match.meant:
        return text.meant(match.meant + path.removeprefix(path_only(path)))
    if not match.similar:
        return []
    return text.one_of(f"Similar paths: {listed(match.similar)}.", match.similar, is_safe=False)


def suggest_value(api: Api, block: Block, text: Replaceable) -> list[Suggestion]:
    """Return the suggestions for a value path that leads to no value."""
    response = block.response(api)
    candidate = _corrected(api, response, block.select.value)
    if candidate is not None and api.value(response, candidate) is not None:
        return text.meant(candidate)
    names = block.select.value.split(".")
    last, missing = api.follow(response, block.select.value)
    known = names[: -len(missing)]
    fitting = [*block.values(api)]
    named = [path for path in fitting if path.split(".")[-1] == names[-1]]
    for paths in (named, [] if known else fitting):
        if len(paths) == 1:
            return text.meant(paths[0], is_safe=_has_fields(api, block, paths[0]))
    if not fitting and block.shows_all(response):
        return text.leave_out()
    subject = "The response"
    if known:
        subject = as_json(".".join(known))
    sentence = f"{subject} is {last.type_text()}."
    if last.properties:
        sentence = f"{subject} has {listed(last.properties)}."
    elif last.may_be_list:
        sentence = f"{subject} is a list, which a value path cannot enter."
    return text.one_of(sentence, fitting[:MAX_TEXTS])


def suggest_fitting_value(api: Api, block: Block, text: Replaceable) -> list[Suggestion]:
    """Return the suggestions for a value of a wrong type: those that fit, below it or, if there are none, anywhere."""
    if block.shows_all(block.response(api)):
        return text.leave_out()
    noun = "single values"
    if block.plan.field:
        noun = "lists"
    paths = [*block.values(api)]
    chosen = [path for path in paths if path.startswith(f"{block.select.value}.")] or paths
    if not chosen:
        return text.one_of(f"This response has no {noun}.")
    if len(chosen) == 1:
        return text.meant(chosen[0])
    return text.one_of(f"The {noun} of this response: {listed(chosen)}.", chosen[:MAX_TEXTS])


def suggest_field(api: Api, row: Facts, name: str, text: Replaceable) -> list[Suggestion]:
    """Return the suggestions for a property that the rows do not have."""
    if not row.properties:
        return text.one_of(f"Each row is {row.type_text()}.")
    sentence = f"All of them: {listed(row.properties)}."
    candidate = _corrected(api, row, name)
    if candidate is not None:
        return text.meant(candidate, sentence)
    scalars = [path for path, facts in api.values_in(row) if facts.may_be_scalar]
    nested = [path for path in scalars if name in path.split(".")]
    if nested:
        sentence = f"{sentence} Inside them: {listed(nested)}."
    return text.one_of(sentence, list(dict.fromkeys([*nested, *scalars]))[:MAX_TEXTS])


def suggest_option(value: str, allowed: list[str], text: Replaceable) -> list[Suggestion]:
    """Return the suggestions for a value that is not in an enum."""
    sentence = f"All of them: {listed(allowed)}."
    match = nearest(value, allowed)
    if match is None:
        return text.one_of(sentence, allowed[:MAX_TEXTS])
    return text.meant(match, sentence)


def suggest_type(fitting: list[str], text: Replaceable) -> list[Suggestion]:
    """Return the suggestions for a type that a value cannot be shown as: those that fit."""
    return text.one_of(f"These fit: {listed(fitting)}.", fitting)


def suggest_inner(api: Api, name: str, facts: Facts, text: Replaceable) -> list[Suggestion]:
    """Return the suggestions for a property that no type can show: its own properties."""
    inner = [f"{name}.{path}" for path, found in api.values_in(facts) if found.may_be_scalar][:MAX_TEXTS]
    return text.one_of(f"No type fits; show one of its properties: {listed(inner) or 'none is known'}.", inner)


def _has_fields(api: Api, block: Block, path: str) -> bool:
    """Return whether the rows at a value path have all fields of a block; a block of a single value has none."""
    value = api.value(block.response(api), path)
    return value is not None and all(api.field(api.row(value), name) is not None for name in block.field_names)


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
