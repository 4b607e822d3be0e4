"""What users see of texts and elements: neither ids nor further properties, and no layout of white space."""

import json
import re
import unicodedata
from collections.abc import Iterable
from hashlib import sha256

from rui_common.syntax.paths import Path, value_at
from rui_common.versions.elements import Element, parts_of
from rui_common.vocabulary.schema import Prop, Role, Shape

_BLANK_LINES = re.compile(r"\n{3,}")


def visible_text(text: str, prop: Prop) -> str:
    """Return a text as users see it: each run of white space is one space.

    The main text of a node keeps its lines, and a blank line between paragraphs. Composed and decomposed characters
    are the same (NFC). Any other text than words for people is data, and stays as it is.
    """
    if not is_for_people(prop):
        return text
    text = unicodedata.normalize("NFC", text)
    if prop.role is not Role.CONTENT:
        return " ".join(text.split())
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return _BLANK_LINES.sub("\n\n", "\n".join(lines).strip("\n"))


def is_for_people(prop: Prop) -> bool:
    """Return whether a property contains words for people, and no value that an API returns."""
    return prop.is_free_text and prop.role is not Role.OPTION


def visible_digests(elements: Iterable[Element]) -> dict[Element, str]:
    """Return the digest of what users see of each element, with the elements in it.

    `elements` are all elements of a document, each before the elements in it.
    """
    digests: dict[Element, str] = {}
    for element in reversed([*elements]):
        content = json.dumps(visible_part(element, (), digests), sort_keys=True)
        digests[element] = sha256(content.encode()).hexdigest()
    return digests


def visible_part(element: Element, steps: Path, digests: dict[Element, str]) -> object:
    """Return what users see of the part at `steps` in an element: a JSON value that is equal if they see the same.

    They see neither ids and references nor further properties, and what is absent as what is empty.

    Args:
        steps: the path of a property of the element, outside of the elements in it; ``()`` for the element itself.
        digests: the digests of the elements in it.
    """
    shapes = {path: shape for path, _, shape in element.objects}
    value = value_at(element.value, steps)
    for length, step in enumerate(steps):
        shape = shapes.get((*element.path, *steps[:length]))
        prop = None if shape is None else shape.prop(str(step))
        if shape is not None and (prop is None or element.is_id_or_reference(prop)):
            return None
        if isinstance(value, str) and prop is not None:
            value = visible_text(value, prop)
    value = _visible(value, shapes.get((*element.path, *steps)), element)
    children = [child for child in element.children if child.list_name[: len(steps)] == steps]
    if value in ("", []) or (isinstance(value, list) and children):
        value = None
    return value, [(child.list_name, digests[child]) for child in children]


def _visible(value: object, shape: Shape | None, element: Element) -> object:
    """Return what users see of an object of a shape in an element; any other value as it is."""
    if not isinstance(value, dict) or shape is None:
        return value
    objects, lists = parts_of(shape)
    visible: dict[str, object] = {}
    for name, inner in value.items():
        prop = shape.prop(name)
        if prop is None or element.is_id_or_reference(prop) or (name in lists and isinstance(inner, list)):
            continue
        seen = visible_text(inner, prop) if isinstance(inner, str) else _visible(inner, objects.get(name), element)
        if seen != "":
            visible[name] = seen
    return visible
