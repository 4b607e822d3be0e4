"""Fixes for unknown and absent properties: rename, add, move, remove."""

from collections.abc import Iterator
from itertools import count

from rui_common.editing.edits import insert_properties, remove_member, rename_key, set_value
from rui_common.editing.generate import ValueGenerator
from rui_common.fixes.model import MAX_FIXES, Fix, fixes_from, quote
from rui_common.json_values import as_object
from rui_common.syntax.paths import Path
from rui_common.validation.analysis import Analysis
from rui_common.validation.findings import Finding, Place, Placement
from rui_common.validation.meant import limit_of, possible_rename, renames
from rui_common.validation.node import Node
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.schema import Correction, Prop, Shape


def fix_unknown_property(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Rename, move or remove an unknown property.

    One with content is not removed while a required property of the object is absent: the content may belong there.
    """
    path = finding.path
    key = str(finding.step)
    node = finding.node
    if path in analysis.overridden:
        return  # A warning has the fix for the repeated one.
    if finding.meant:
        is_certain = any(rename.is_certain for rename in renames(node) if rename.key == key)
        yield from rename_property(analysis, path, finding.meant, is_safe=is_certain)
    removal = [remove_member(analysis.document, path)]
    placement = finding.placement or Placement(Place.NOTHING)
    if placement.place is Place.NOTHING:
        yield from fixes_from(f"Remove {quote(key)}", removal, is_safe=finding.got is None)
        return
    if placement.place is Place.PART_OF_TEXT:
        yield from _put_into_text(analysis, finding, placement.names[0])
    if not finding.meant and placement.place is Place.ABSENT_PROPERTIES and not limit_of(node, [key]):
        prop = possible_rename(node, key)
        if prop is not None and prop.name in placement.names:
            yield from rename_property(analysis, path, prop.name, is_likely=False)
    if node.shape is None or node.members.keys() >= {*node.shape.required}:
        yield from _move(analysis, finding, placement)
        yield from fixes_from(f"Remove {quote(key)} and its content", removal, discards=True)


def _put_into_text(analysis: Analysis, finding: Finding, name: str) -> list[Fix]:
    """Put an unknown text, such as a unit, after the text that it is a part of: ``Price (EUR)``."""
    text = finding.node.get(name)
    if not isinstance(text, str) or not isinstance(finding.got, str):
        return []
    edits = [
        set_value(analysis.document, (*finding.node.path, name), f"{text} ({finding.got})"),
        remove_member(analysis.document, finding.path),
    ]
    return fixes_from(f"Put {quote(finding.got)} into {quote(name)}", edits)


def _move(analysis: Analysis, finding: Finding, placement: Placement) -> list[Fix]:
    """Move an unknown property to the root, if it belongs there, else into the object that may contain anything."""
    root = analysis.vocabulary.root
    order = [*root.props]
    key = str(finding.step)
    top = analysis.tree.root.members
    removal = remove_member(analysis.document, finding.path)
    if placement.place is Place.TOP_LEVEL:
        if key in top:
            return []
        edits = insert_properties(analysis.document, (), {key: finding.got}, order)
        return fixes_from(f"Move {quote(key)} to the top level", [*edits, removal])
    if placement.place is Place.PROPERTY and len(placement.names) > 1:
        owner, part = placement.names
        edits = insert_properties(analysis.document, (*finding.node.path, owner), {part: finding.got}, [])
        return fixes_from(f"Move {quote(key)} to {quote(owner)}", [*edits, removal])
    if placement.place not in (Place.ELSEWHERE, Place.UNPLACED) or not placement.names:
        return []
    name = placement.names[0]
    if name in top:
        free = next(new for new in _numbered(key) if new not in as_object(top[name]))
        edits = insert_properties(analysis.document, (name,), {free: finding.got}, [])
    else:
        edits = insert_properties(analysis.document, (), {name: {key: finding.got}}, order)
    return fixes_from(f"Move {quote(key)} to {quote(name)}", [*edits, removal])


def _numbered(key: str) -> Iterator[str]:
    yield key
    yield from (f"{key}-{number}" for number in count(2))


def rename_property(
    analysis: Analysis, path: Path, name: str, *, is_safe: bool = False, is_likely: bool = True
) -> list[Fix]:
    """Give a property its registered name."""
    if path in analysis.overridden:
        return []
    edit = rename_key(analysis.document, path, name)
    title = f"Rename {quote(path[-1])} to {quote(name)}"
    return fixes_from(title, [edit], is_safe=is_safe, is_likely=is_likely)


def fix_absent_property(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Rename an unknown property to the absent one, or add it."""
    prop = finding.prop
    shape = finding.shape
    if prop is None or shape is None:
        return
    node = finding.node
    path = node.path
    found = renames(node)
    own = [rename for rename in found if rename.prop is prop]
    for rename in own:
        yield from rename_property(analysis, (*path, rename.key), prop.name, is_safe=rename.is_certain)
    if any(rename.is_certain for rename in own):
        return
    # An unknown object may be a wrapper, which contains the property.
    unknown = {key for key in node.members if shape.prop(key) is None} - {rename.key for rename in found}
    is_absent = not own and not any(isinstance(node.members[key], dict) for key in unknown)
    values = _values_for(analysis, node, prop, shape)
    for value, is_certain in values:
        title = f"Add {quote(prop.name)}"
        if len(values) > 1:
            title += f": {quote(value)}"
        edits = insert_properties(analysis.document, path, {prop.name: value}, [*shape.props])
        yield from fixes_from(title, edits, is_safe=is_certain and is_absent)
    meant = {rename.prop.name for rename in found}
    required = [shape.props[name] for name in shape.required if name not in node.members and name not in meant]
    if len(required) > 1:
        every = {one.name: value for one in required for value, _ in _values_for(analysis, node, one, shape)[:1]}
        edits = insert_properties(analysis.document, path, every, [*shape.props])
        yield from fixes_from(f"Add all {len(every)} missing properties", edits)


def _values_for(analysis: Analysis, node: Node, prop: Prop, shape: Shape) -> list[Correction]:
    """Return the values to choose from for an absent property of an object, the likeliest first.

    The only value of a literal is uncertain if another literal of the object has a value that does not belong to this
    shape.
    """
    kind = prop.kind
    members = node.members
    if len(kind.values) == 1:
        literals = [one for one in shape.props.values() if one.kind.values and one.name in members]
        return [(kind.values[0], all(members[one.name] in one.kind.values for one in literals))]
    if kind.values:
        return [(value, False) for value in kind.values[:MAX_FIXES]]
    if isinstance(kind, ObjectKind) and not kind.shape.required:
        return [({}, True)]
    if prop.uses is not None:
        scope = analysis.names.scope(prop.uses, node)
        names = sorted(scope.definitions, key=lambda name: name in scope.used)
        return [(name, False) for name in names[:MAX_FIXES]]
    return [(ValueGenerator(analysis, node).missing_value(prop, node.kind), False)]
