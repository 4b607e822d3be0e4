"""Short forms of other systems: a value that stands for an object or array, and has one reading.

``columns: ["a"]`` means ``[{"key": "a"}]``, ``navigation: […]`` means ``{"items": […]}``, and ``columns: {"a": "A"}``
means ``[{"key": "a", "label": "A"}]``.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rui_common.json_values import JsonObject, as_json
from rui_common.problems.meant import has_type
from rui_common.problems.operations import Unquote, WriteInFull
from rui_common.problems.suggestion import Sentence, Suggestion, fact
from rui_common.problems.words import quoted
from rui_common.suggest import kebab_case
from rui_common.syntax.embedded import decoded
from rui_common.syntax.paths import Path
from rui_common.texts import MAX_SHOWN
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, Shape

MAX_ELEMENTS = 1_000  # elements of an array or object that are read. Bounds the time of a hint.


class Text(NamedTuple):
    """A text that stands for an object: its main property, and the values that are fixed."""

    full: JsonObject
    is_complete: bool  # whether the object lacks no required property


class Array(NamedTuple):
    """An array that stands for the object around it."""

    prop: Prop
    is_complete: bool


class OnlyElement(NamedTuple):
    """An array with one element, which stands for that element."""

    is_complete: bool


class Map(NamedTuple):
    """An object that stands for an array: each key is a property of an element, each value the rest of it."""

    key: Prop
    label: Prop | None  # the property of a value that is a text; None if all values are objects
    is_complete: bool


ShortForm = Text | Array | OnlyElement | Map


def short_form(value: object, kind: Kind) -> ShortForm | None:
    """Return the only reading of a value that is of another type than its kind asks for; None without one."""
    match kind, value:
        case ObjectKind(), str():
            return _text(value, kind.shape)
        case ObjectKind(), list():
            return _array(value, kind.shape)
        case ListKind(), dict():
            return _map(value, kind.items)
    return None


def write_in_full(path: Path, value: object, kind: Kind) -> Iterator[Suggestion]:
    """Suggest to write a short form in full, or JSON in a string without the quotes.

    That is safe if nothing is missing then. There are no suggestions where neither an array nor an object is expected.
    """
    in_string = _json_in_string(path, value, kind)
    if in_string is not None:
        yield in_string
        return
    form = short_form(value, kind)
    if form is None:
        return
    operation = WriteInFull(path, kind)
    yield Suggestion(Sentence(_sentence(form), once=True), (operation,), is_safe=form.is_complete)


def _json_in_string(path: Path, got: object, kind: Kind) -> Suggestion | None:
    """Return what to do with the text of an array or object in a string, where a kind expects one; None for others."""
    if not isinstance(got, str) or got.lstrip()[:1] not in {"[", "{", '"'}:
        return None
    if kind.json_type not in ("array", "object"):
        return None
    document = decoded(got)
    if document is None and got.lstrip()[0] != '"' and not _is_template(got.lstrip()):
        return fact("It is JSON with errors in a string: correct it, and write it without the quotes and backslashes.")
    if document is None or not isinstance(document.value, list | dict):
        return None
    sentence = Sentence("It is JSON in a string: write it without the quotes and backslashes.")
    if has_type(document.value, kind):
        return Suggestion(sentence, (Unquote(path),), is_safe=True)
    if isinstance(document.value, list):
        return Suggestion(sentence)
    return Suggestion(sentence, (Unquote(path, is_element=True),))


def _is_template(text: str) -> bool:
    """Return whether a text is a template, such as ``{{orders.data}}`` or ``{orders}``, and no JSON with errors."""
    return text.startswith("{{") or (text.startswith("{") and ":" not in text)


def _sentence(form: ShortForm) -> str:
    match form:
        case Text():
            text = as_json(form.full)
            if len(text) > 2 * MAX_SHOWN:
                return f"Write an object with it as {_main_of(form.full)}."
            return f"Write {text}."
        case Array():
            return f'Write it as {{"{form.prop.name}": […]}}.'
        case OnlyElement():
            return "Write its only element, without [ and ]."
        case Map():
            label = f" and its value as {quoted(form.label.name)}" if form.label is not None else ""
            return f"Write an array: of each entry an object, with its key as {quoted(form.key.name)}{label}."


def _main_of(full: JsonObject) -> str:
    """Return the name of the longest text of an object: the one that was written."""
    return quoted(max(full, key=lambda name: len(str(full[name]))))


def _fixed_values(shape: Shape) -> JsonObject:
    """Return the required properties of a shape that have only one value."""
    props = (shape.props[name] for name in shape.required)
    return {prop.name: prop.kind.values[0] for prop in props if len(prop.kind.values) == 1}


def main_props(shape: Shape) -> list[Prop]:
    """Return the properties that a text in place of an object may mean: the required ones, else the first suggested."""
    fixed = _fixed_values(shape)
    required = [shape.props[name] for name in shape.required if name not in fixed]
    return required or [*shape.suggested.values()][:1]


def _text(text: str, shape: Shape) -> Text | None:
    fixed = _fixed_values(shape)
    words = text.split(" ")
    while len(words) > 1 and words[0] in fixed.values():  # such as "GET /orders"
        words = words[1:]
    rest = " ".join(words)
    props = main_props(shape)
    meant = [prop for prop in props if rest and prop.kind.accepts(rest)]
    if len(meant) != 1:
        return None
    full = fixed | {meant[0].name: rest}
    return Text({name: full[name] for name in shape.props | shape.suggested if name in full}, len(props) == 1)


def _array(values: list[object], shape: Shape) -> Array | OnlyElement | None:
    if len(values) == 1 and isinstance(values[0], dict) and {*shape.required} <= values[0].keys():
        return OnlyElement(is_complete=True)
    required = [shape.props[name] for name in shape.required]
    lists = [prop for prop in required if isinstance(prop.kind, ListKind)]
    if len(lists) != 1 or not values or len(values) > MAX_ELEMENTS:
        return None
    kind = lists[0].kind
    assert isinstance(kind, ListKind)  # noqa: S101  for mypy
    if not all(kind.items.accepts(value) or short_form(value, kind.items) is not None for value in values):
        return None
    return Array(lists[0], is_complete=len(required) == 1)


def _map(values: JsonObject, kind: Kind) -> Map | None:
    if len(kind.inner_shapes) != 1 or not values or len(values) > MAX_ELEMENTS:
        return None
    (shape,) = kind.inner_shapes
    if not values.keys().isdisjoint(shape.props.keys() | shape.suggested.keys()):
        return None  # It is an element.
    key = _key_prop(shape, kind)
    if key is None or not all(name and _may_be(name, key) for name in values):
        return None
    texts = [value for value in values.values() if isinstance(value, str)]
    if any(not isinstance(value, str | dict) for value in values.values()):
        return None
    if any(isinstance(value, dict) and value.get(key.name, name) != name for name, value in values.items()):
        return None
    label = next(iter(shape.labels), None)
    needed = {*shape.required} - {key.name}
    if not texts:
        return Map(key, None, is_complete=True)  # What an element lacks is an error of its own.
    if label is None or not all(map(label.kind.accepts, texts)) or needed:
        return None
    return Map(key, label, is_complete=True)


def _may_be(name: str, key: Prop) -> bool:
    """Return whether a name is one of a property, as it is or in kebab-case: ``openTickets`` as an id."""
    return key.kind.accepts(name) or key.kind.accepts(kebab_case(name))


def _key_prop(shape: Shape, kind: Kind) -> Prop | None:
    """Return the property of an element that the key of a map means: the name of a node, else the main property."""
    if isinstance(kind, NodeKind):
        return next((prop for prop in shape.props.values() if prop.defines is not None), None)
    props = main_props(shape)
    return props[0] if len(props) == 1 else None
