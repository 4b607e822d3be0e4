"""Fixes for unknown and absent properties: rename, add, move, remove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from rui_common.editing.edits import insert_properties, remove_member, rename_key
from rui_common.fixes.context import FixContext, has_content, quote
from rui_common.fixes.model import MAX_FIXES, Fix, fixes_from
from rui_common.suggest import probably_meant, squash
from rui_common.syntax.paths import Path
from rui_common.validation.findings import Finding
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.schema import LABEL, Kind, Prop, Shape

Value = tuple[object, bool]
"""A value for an absent property, and whether it is the only plausible one."""

MAX_UNKNOWN = 100
"""Unknown properties of an object up to which renames are searched, as each is compared with all of them."""


class Rename(NamedTuple):
    """An unknown property of an object, and the absent one that its value is probably meant for.

    Attributes:
        key: the unknown property.
        prop: the absent property.
        is_certain: whether the key means this property, and no other key does.
    """

    key: str
    prop: Prop
    is_certain: bool


def fix_unknown_property(context: FixContext, fault: Finding) -> Iterator[Fix]:
    """Rename, move or remove an unknown property.

    One with content is not removed while a required property of the object is absent: the content may belong there.
    """
    path = fault.path
    key = str(path[-1])
    siblings = context.object_at(path[:-1])
    if context.counts_at(path[:-1])[key] != 1:
        return  # A warning has the fix for the repeated one.
    if fault.shape is not None:
        for rename in renames(siblings, fault.shape):
            if rename.key == key:
                yield from _rename_fixes(context, path[:-1], rename)
    removal = [remove_member(context.document, path)]
    value = siblings.get(key)
    if not has_content(value):
        yield from fixes_from(f"Remove {quote(key)}", removal, is_safe=value is None)
    elif fault.shape is None or siblings.keys() >= {*fault.shape.required}:
        yield from _move_fixes(context, path)
        yield from fixes_from(f"Remove {quote(key)} and its content", removal, discards=True)


def _move_fixes(context: FixContext, path: Path) -> list[Fix]:
    """Move an unknown property to the root, if it belongs there, else into the object that may contain anything."""
    root = context.vocabulary.root
    order = [*root.props]
    key = str(path[-1])
    top = context.object_at(())
    value = context.value(path)
    removal = remove_member(context.document, path)
    if key in root.props:
        if key in top:
            return []
        edits = insert_properties(context.document, (), {key: value}, order)
        return fixes_from(f"Move {quote(key)} to the top level", [*edits, removal])
    name = next((name for name, prop in root.props.items() if any(one.open for one in prop.kind.inner_shapes)), "")
    target = top.get(name, {})
    if not name or not isinstance(target, dict):
        return []
    if name in top:
        free = next(new for new in _numbered(key) if new not in target)
        edits = insert_properties(context.document, (name,), {free: value}, [])
    else:
        edits = insert_properties(context.document, (), {name: {key: value}}, order)
    return fixes_from(f"Move {quote(key)} to {quote(name)}", [*edits, removal])


def _numbered(key: str) -> Iterator[str]:
    yield key
    yield from (f"{key}-{number}" for number in count(2))


# Rename ---------------------------------------------------------------------------------------------------------------


def renames(siblings: dict[str, object], shape: Shape) -> list[Rename]:
    """The unknown properties of an object that are probably meant as absent ones.

    A key means a property by its name: it is another word for it, or a misspelling. If none does, the only unknown
    property with a possible value is meant as a required property, but that is not certain. An object with more than
    `MAX_UNKNOWN` of them has no renames.
    """
    if len(siblings) > MAX_UNKNOWN + len(shape.all_props):
        return []
    unknown = [key for key in siblings if shape.prop(key) is None]
    if len(unknown) > MAX_UNKNOWN:
        return []
    absent = [prop for prop in shape.props.values() if prop.name not in siblings]
    by_name = [(key, prop) for key in unknown for prop in _named(key, siblings[key], absent)]
    keys = Counter(key for key, _ in by_name)
    names = Counter(prop.name for _, prop in by_name)
    found = [
        Rename(key, prop, keys[key] == names[prop.name] == 1 and _is_probable(siblings[key], prop.kind))
        for key, prop in by_name
    ]
    rest = [prop for prop in absent if prop.required and prop.name not in names]
    for prop in rest:
        possible = [key for key in unknown if key not in keys and _is_possible(siblings[key], prop.kind)]
        if len(possible) == 1 and not any(_is_possible(siblings[possible[0]], one.kind) for one in rest if one != prop):
            found.append(Rename(possible[0], prop, False))
    return found


def _named(key: str, value: object, absent: list[Prop]) -> list[Prop]:
    """The absent properties that a key is another word for, or else the one that it is a misspelling of."""
    word = squash(key)
    named = [prop for prop in absent if prop.is_called(word)]
    if not named:
        meant = probably_meant(key, [prop.name for prop in absent])
        named = [prop for prop in absent if prop.name == meant]
    return [prop for prop in named if prop.kind.accepts(value)] or named


def _is_probable(value: object, kind: Kind) -> bool:
    """Whether a value is one of a kind, or a misspelling of one."""
    is_misspelt = isinstance(value, str) and probably_meant(value, kind.values) is not None
    return is_misspelt or kind.accepts(value)


def _is_possible(value: object, kind: Kind) -> bool:
    """Whether a value may be meant as one of a kind; the objects in it may have faults of their own."""
    return kind.accepts(value) and (bool(value) or not kind.inner_shapes)


def name_label(context: FixContext, path: Path) -> list[Fix]:
    """Give the only text of an open object the name of its label."""
    shape = context.shape_at(path[:-1])
    label = None if shape is None else next((one for one in shape.suggested.values() if one.role == LABEL), None)
    if label is None:
        return []
    return _rename_fixes(context, path[:-1], Rename(str(path[-1]), label, False))


def _rename_fixes(context: FixContext, path: Path, rename: Rename) -> list[Fix]:
    """Give a property of the object at `path` its registered name."""
    if context.counts_at(path)[rename.key] != 1:
        return []
    edit = rename_key(context.document, (*path, rename.key), rename.prop.name)
    title = f"Rename {quote(rename.key)} to {quote(rename.prop.name)}"
    return fixes_from(title, [edit], is_safe=rename.is_certain)


# Add ------------------------------------------------------------------------------------------------------------------


def fix_absent_property(context: FixContext, fault: Finding) -> Iterator[Fix]:
    """Rename an unknown property to the absent one, or add it."""
    prop = fault.prop
    shape = fault.shape
    if prop is None or shape is None:
        return
    path = fault.path[:-1]
    siblings = context.object_at(path)
    found = renames(siblings, shape)
    own = [rename for rename in found if rename.prop.name == prop.name]
    for rename in own:
        yield from _rename_fixes(context, path, rename)
    if any(rename.is_certain for rename in own):
        return
    # An unknown object may be a wrapper, which contains the property.
    unknown = {key for key in siblings if shape.prop(key) is None} - {rename.key for rename in found}
    is_absent = not own and not any(isinstance(siblings[key], dict) for key in unknown)
    values = _values_for(context, prop, path, shape)
    for value, is_certain in values:
        title = f"Add {quote(prop.name)}"
        if len(values) > 1:
            title += f": {quote(value)}"
        edits = insert_properties(context.document, path, {prop.name: value}, [*shape.props])
        yield from fixes_from(title, edits, is_safe=is_certain and is_absent)
    meant = {rename.prop.name for rename in found}
    required = [shape.props[name] for name in shape.required if name not in siblings and name not in meant]
    if len(required) > 1:
        every = {one.name: value for one in required for value, _ in _values_for(context, one, path, shape)[:1]}
        edits = insert_properties(context.document, path, every, [*shape.props])
        yield from fixes_from(f"Add all {len(every)} missing properties", edits)


def _values_for(context: FixContext, prop: Prop, path: Path, shape: Shape) -> list[Value]:
    """The values to choose from for an absent property of the object at `path`, the likeliest first.

    The only value of a literal is uncertain if another literal of the object has a value that does not belong to this
    shape.
    """
    kind = prop.kind
    siblings = context.object_at(path)
    if len(kind.values) == 1:
        literals = [one for one in shape.props.values() if one.kind.values and one.name in siblings]
        return [(kind.values[0], all(siblings[one.name] in one.kind.values for one in literals))]
    if kind.values:
        return [(value, False) for value in kind.values[:MAX_FIXES]]
    if isinstance(kind, ObjectKind) and not kind.shape.required:
        return [({}, True)]
    if prop.uses is not None:
        scope = context.names.scope_of(prop.uses, path)
        used = {*context.names.used_names(scope)}
        names = sorted(context.names.defined_names(scope), key=lambda name: name in used)
        return [(name, False) for name in names[:MAX_FIXES]]
    return [(context.generator_at(path).missing_value(prop, context.kind_at(path)), False)]
