"""Fixes for properties: unknown and absent ones, values that are not allowed, and doubtful ones."""

from collections.abc import Iterator
from itertools import chain

from rui_common.editing.edits import insert_properties, remove_member, rename_key, set_value
from rui_common.editing.generate import ValueGenerator
from rui_common.fixes.model import MAX_FIXES, Fix, choices, fixes_from, is_broken, quote, use_value
from rui_common.fixes.name_fixes import fix_malformed_name, remove_element, rename_definition
from rui_common.json_values import as_json, as_object
from rui_common.nodes.node import Node
from rui_common.suggest import numbered
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.findings import Finding, Place, Placement
from rui_common.validation.lints import Lint
from rui_common.validation.meant import Meant, holds_content, limit_of, meant_by, possible_rename, renames
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.rules import HOST_IN_PATH, KEY_PATH, NOT_SHOWN, PATH_CHARACTER, UNKNOWN_VALUE
from rui_common.vocabulary.schema import Correction, Kind, Prop, Shape


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
        free = next(new for new in chain([key], numbered(key)) if new not in as_object(top[name]))
        edits = insert_properties(analysis.document, (name,), {free: finding.got}, [])
    else:
        edits = insert_properties(analysis.document, (), {name: {key: finding.got}}, order)
    return fixes_from(f"Move {quote(key)} to {quote(name)}", [*edits, removal])


def rename_property(
    analysis: Analysis, path: Path, name: str, *, is_safe: bool = False, is_likely: bool = True
) -> list[Fix]:
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


# Values ---------------------------------------------------------------------------------------------------------------


def fix_value(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Correct the value of a property, or remove it if it is optional; remove an element of a wrong type."""
    if isinstance(finding.step, int):
        yield from remove_element(analysis, finding.path)
        return
    prop = finding.prop
    if prop is None:
        return
    path = finding.path
    value = finding.got
    fixes: list[Fix] = []
    if prop.kind.values:
        fixes = [*_choices(analysis, finding, prop.kind.values)]
    elif prop.defines is not None and isinstance(value, str):
        fixes = fix_malformed_name(analysis, finding, prop, prop.defines, value)
    elif value is not None:
        fixes = _corrections(analysis, finding, prop) or [*_conversions(analysis, path, value, prop.kind)]
    yield from fixes
    if not prop.required:
        removal = [remove_member(analysis.document, path)]
        title = f"Remove {quote(prop.name)}"
        yield from fixes_from(title, removal, is_safe=value is None, discards=holds_content(value))
    elif not fixes and not holds_content(value):
        new = ValueGenerator(analysis, finding.node).missing_value(prop, finding.node.kind)
        yield from use_value(analysis, path, new)


def _choices(analysis: Analysis, finding: Finding, allowed: tuple[str, ...]) -> Iterator[Fix]:
    """Yield the allowed values in place of a scalar. Only one that it is a misspelling of, or a number for, is safe."""
    value = finding.got
    if value is None or isinstance(value, dict | list):
        return
    meant = Meant(str(value)) if str(value) in allowed else meant_by(finding)
    yield from choices(analysis, finding.path, allowed, meant)


def _corrections(analysis: Analysis, finding: Finding, prop: Prop) -> list[Fix]:
    """Replace a malformed value by the certain correction, else propose each possible one."""
    meant = meant_by(finding)
    if meant is not None:
        return use_value(analysis, finding.path, meant.text, is_safe=meant.is_certain, is_likely=True)
    if finding.problem is not Problem.MALFORMED:
        return []
    possible = dict.fromkeys(new for new, _ in prop.kind.corrections(finding.got, prop.example))
    return [fix for new in possible for fix in use_value(analysis, finding.path, new)]


def _conversions(analysis: Analysis, path: Path, value: object, kind: Kind) -> Iterator[Fix]:
    """Yield the fixes that keep the content of a value and change its type."""
    span = analysis.document.span_of(path)
    if span is None:
        return
    source = analysis.document.text[span.start : span.end]
    coerced = kind.coerce(value, source)
    if coerced is not None:
        text = as_json(coerced)
        yield from fixes_from(f"Convert to {kind.word}: {text}", [Edit(span, text)])
    elif isinstance(kind, ListKind) and isinstance(value, dict) and not is_broken(analysis, path):
        shapes = [shape for shape in kind.inner_shapes if not value.keys().isdisjoint(shape.props)]
        is_complete = any(value.keys() >= {*shape.required} for shape in shapes)
        edits = [Edit(Span(span.start, span.start), "["), Edit(Span(span.end, span.end), "]")]
        if shapes:  # It has a property that elements have, so it may be meant as the only element.
            yield from fixes_from("Wrap in an array", edits, is_safe=is_complete)


def fix_lint(analysis: Analysis, lint: Lint) -> Iterator[Fix]:
    """Yield the fixes of a doubtful value; none for one that only the author can correct."""
    path = lint.path
    if path in analysis.overridden:
        return
    if lint.code == NOT_SHOWN:  # a further property, which means a suggested one
        yield from rename_property(analysis, path, lint.meant, is_safe=lint.is_certain)
    elif lint.code == UNKNOWN_VALUE:
        values = () if lint.prop is None else lint.prop.kind.values
        meant = Meant(lint.meant, is_certain=lint.is_certain) if lint.meant else None
        yield from choices(analysis, path, values, meant)
    elif lint.code in {HOST_IN_PATH, PATH_CHARACTER, KEY_PATH} and lint.meant:
        if lint.prop is not None and lint.prop.defines is not None:
            yield from rename_definition(analysis, path, lint.meant, is_safe=lint.is_certain)
        else:
            yield from use_value(analysis, path, lint.meant, is_safe=lint.is_certain)
