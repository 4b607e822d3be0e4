"""Adapt the example of a property to a document, so that pasting it causes no further error.

The ids in it are free, names that are used but not defined become its definitions, and its uses refer to names that
exist.
"""

from __future__ import annotations

import re

from rui_common.suggest import kebab_case
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rui_common.syntax.paths import Path
    from rui_common.validation.model import SuggestedNames, UsedNames
    from rui_common.validation.scopes import Scope
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol

MAX_CORRECTED = 200
"""Longer strings are not corrected."""

MAX_STEM = 58
"""Characters of an id before a number is appended. An id has at most 64."""

_NUMBER = r"-?[0-9]+\Z"


class FreshIdPlaceholder(str):
    """A name in an example that has to be replaced by a free one."""

    __slots__ = ()


class KeepIdPlaceholder(str):
    """A name in an example that the document has already at this path."""

    __slots__ = ()


def first_element(example: object) -> object:
    """Return the first element of the example of a list, or None."""
    if not isinstance(example, list) or not example:
        return None
    return example[0]


def wrap_value(path: Path, value: object) -> object:
    """Return the value in one object per step of `path`."""
    for name in reversed(path):
        value = {str(name): value}
    return value


def adapt_to_scope(prop: Prop, kind: Kind, example: object, scopes: Mapping[Symbol, Scope]) -> object:
    """Return an example that defines the names that are dangling, and uses names that are defined.

    Args:
        prop: the property.
        kind: the kind of the example: that of the property, or of the elements of its list.
        example: the declared example.
        scopes: the names of the document and of the object around the property.
    """
    if isinstance(kind, ObjectKind) and isinstance(example, dict):
        props = kind.shape.props
        return {
            name: adapt_to_scope(props[name], props[name].kind, value, scopes) if name in props else value
            for name, value in example.items()
        }
    if isinstance(kind, ListKind) and isinstance(example, list) and example:
        return _adapted_elements(kind.items, example, scopes) or example
    dangling = _dangling_names(prop.defines, scopes)
    if dangling:
        return dangling[0]
    if prop.uses is not None and prop.uses in scopes:
        scope = scopes[prop.uses]
        defined = scope.defined[prop.uses].names()
        unused = (name for name in defined if name not in scope.used[prop.uses].first)
        return next(iter((*unused, *defined, example)))
    return example


def _adapted_elements(items: Kind, example: list[object], scopes: Mapping[Symbol, Scope]) -> list[object]:
    """Return an element per dangling name if elements define names, per defined name if they use names; or none."""
    if isinstance(items, NodeKind):
        names = _dangling_names(items.defines, scopes)
        first = example[0]
        return [{**first, "id": name} for name in names] if isinstance(first, dict) else []
    if not isinstance(items, ObjectKind):
        return []
    for prop in items.shape.props.values():
        names = _dangling_names(prop.defines, scopes)
        if names:
            present = [element.get(prop.name) for element in example if isinstance(element, dict)]
            return [*example, *({prop.name: name} for name in names if name not in present)]
        if prop.uses in scopes and prop.uses is not None and prop.required:
            return [{prop.name: name} for name in scopes[prop.uses].defined[prop.uses].first]
    return []


def _dangling_names(symbol: Symbol | None, scopes: Mapping[Symbol, Scope]) -> list[str]:
    if symbol is None or symbol not in scopes:
        return []
    return scopes[symbol].dangling_names(symbol)


def with_placeholders(prop: Prop, example: object) -> object:
    """Return the example of a property with a `FreshIdPlaceholder` for each name that it defines."""
    if prop.defines is not None and isinstance(example, str):
        return FreshIdPlaceholder(example)
    return _with_placeholders(prop.kind, example)


def _with_placeholders(kind: Kind, example: object) -> object:
    if isinstance(kind, ListKind):
        return _with_placeholders(kind.items, example)
    if not isinstance(kind, ObjectKind) or not isinstance(example, dict):
        return example
    props = kind.shape.props
    return {name: with_placeholders(props[name], value) if name in props else value for name, value in example.items()}


def with_id_of(example: object, value: dict[str, object], shapes: tuple[Shape, ...]) -> object:
    """Return the example of a node with the id of `value`, if that is well formed."""
    name = value.get("id")
    if isinstance(example, dict) and isinstance(name, str) and shapes[0].props["id"].kind.accepts(name):
        return example | {"id": KeepIdPlaceholder(name)}
    return example


def correct_value(value: object, kind: Kind, prop: Prop, example: object) -> object:
    """Return the most likely correction of a malformed value, or `example` if there is none."""
    if isinstance(value, str):
        if len(value) > MAX_CORRECTED:
            return example
        kebab = kebab_case(value)
        if prop.defines is not None and kebab and kind.accepts(kebab):
            return kebab
    return next((correction for correction, _ in kind.corrections(value, example)), example)


def with_free_ids(example: object, used_names: UsedNames, suggested_names: SuggestedNames) -> object:
    """Return an example in which placeholders, and the ids of nodes, are free names.

    Args:
        example: the example.
        used_names: the names in use.
        suggested_names: names in other examples; the new names are added.
    """
    if isinstance(example, FreshIdPlaceholder):
        return _free_name(example, used_names, suggested_names)
    if isinstance(example, list):
        return [with_free_ids(element, used_names, suggested_names) for element in example]
    if not isinstance(example, dict):
        return example
    is_node = "type" in example
    adapted: dict[str, object] = {}
    for name, value in example.items():
        if is_node and name == "id" and type(value) is str:  # not a KeepIdPlaceholder
            adapted[name] = _free_name(value, used_names, suggested_names)
        else:
            adapted[name] = with_free_ids(value, used_names, suggested_names)
    return adapted


def _free_name(name: str, used_names: UsedNames, suggested_names: SuggestedNames) -> str:
    """Return the name, with the lowest number that makes it free, and add it to the suggested names.

    Numbers continue after the last one of the same stem, so that many names of one stem do not take quadratic time.
    """
    stem = re.sub(_NUMBER, "", name)[:MAX_STEM] or name
    number = suggested_names.numbers.get(stem, 1)
    while name in suggested_names.names or any(name in names for names in used_names):
        number += 1
        name = f"{stem}-{number}"
    suggested_names.numbers[stem] = number
    suggested_names.names.add(name)
    return name
