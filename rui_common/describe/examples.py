"""Valid example documents, generated from the examples of the declarations.

The example of a property is overridden by that of the object around it. For instance, `Metric.binding` has an example
of its own, in which `valuePath` selects another value than in that of `Table.binding`.
"""

import copy
import json

from rui_common.editing.formatter import format_document
from rui_common.editing.normal_form import by_code_point, normalize
from rui_common.json_values import JsonObject, as_json, as_list, as_object
from rui_common.syntax.document import read
from rui_common.syntax.paths import parse_path
from rui_common.validation.analysis import Analysis, validate
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.queries import path_with_role
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import Rule
from rui_common.vocabulary.schema import Kind, Role, Shape, Vocabulary


def minimal_example(vocabulary: Vocabulary = VOCABULARY) -> JsonObject:
    """Return a small valid document, in normal form, with as few elements in every list as it allows, at least one.

    It has the required properties, and the labels of open objects: without them, a page shows ids and keys.
    """
    document = {prop.name: prop.example for prop in vocabulary.root.props.values()}
    return as_object(_required_part(document, ObjectKind(vocabulary.root), vocabulary))


def _required_part(example: object, kind: Kind, vocabulary: Vocabulary) -> object:
    if isinstance(kind, ListKind):
        elements = as_list(example)[: max(kind.at_least, 1)]
        return [_required_part(element, kind.items, vocabulary) for element in elements]
    shape = kind.shape_of(as_object(example), vocabulary)
    if shape is None:
        return example
    props = [shape.props[name] for name in shape.required]
    props += [prop for prop in shape.suggested.values() if prop.role is Role.LABEL]
    return {prop.name: _required_part(as_object(example)[prop.name], prop.kind, vocabulary) for prop in props}


def full_example(vocabulary: Vocabulary = VOCABULARY) -> JsonObject:
    """Return a valid document, in normal form, with every shape and property: one node of each type."""
    return normalize(validate(_full(vocabulary.root, has_all_types=True), vocabulary).tree)


def shape_example(shape: Shape) -> JsonObject:
    """Return an object of one shape with every property; lists of nodes in it have one small node.

    Suggested properties are in normal form. References to names outside the object are dangling.
    """
    example = _full(shape, has_all_types=False)
    return example | {name: by_code_point(example[name]) for name in shape.suggested if name in example}


def _full(shape: Shape, *, has_all_types: bool) -> JsonObject:
    """Return an object with every property that has an example: one without refers outside of the document."""
    return {
        prop.name: _full_value(prop.kind, prop.example, has_all_types=has_all_types)
        for prop in shape.all_props
        if prop.example is not None
    }


def _full_value(kind: Kind, example: object, *, has_all_types: bool) -> object:
    if isinstance(kind, ObjectKind):
        return _full(kind.shape, has_all_types=has_all_types) | as_object(example)
    if has_all_types and isinstance(kind, ListKind) and isinstance(kind.items, NodeKind):
        if not kind.allows(len(kind.items.shapes)):
            return copy.deepcopy(example)
        return [_full(shape, has_all_types=True) for shape in kind.items.shapes]
    return copy.deepcopy(example)


def with_value(document: JsonObject, at: str, text: str) -> str:
    """Return the text of a document with one value replaced.

    Args:
        document: the document; it is not modified.
        at: the path of the value; ``""`` replaces the whole text.
        text: the new value as JSON. For the whole text it may be malformed.
    """
    if not at:
        return text
    changed = copy.deepcopy(document)
    *parent_path, last = parse_path(at)
    parent: object = changed
    for step in parent_path:
        parent = parent[step]  # type: ignore[index]
    parent[last] = json.loads(text)  # type: ignore[index]
    return as_json(changed)


def broken_example(rule: Rule, vocabulary: Vocabulary = VOCABULARY) -> str:
    """Return the text of the minimal document with the example of a rule's violation."""
    return with_value(minimal_example(vocabulary), rule.at, rule.wrong)


def new_document_text(title: str = "", *, full: bool = False) -> str:
    """Return a valid document in canonical form.

    Args:
        title: the name of the app; by default that of the example.
        full: whether to include every type of node and every property.

    Raises:
        UnicodeEncodeError: the title contains a lone surrogate.
    """
    title.encode()
    value = full_example() if full else minimal_example()
    if title:
        outer, name = path_with_role(VOCABULARY, Role.LABEL)
        value[outer] = as_object(value[outer]) | {name: title}
    return format_document(Analysis(read(as_json(value))))
