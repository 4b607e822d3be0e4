"""The structural part of a 250 KB document: our validator compared with jsonschema and pydantic.

The peers check types, required and unknown properties, enums and patterns. Ours also checks unique names and
references. All of them get their declarations from the vocabulary: jsonschema from the generated schema, with a
validator that is built once; pydantic from strict models with ``type`` as the discriminator.

Limits: ours is faster than jsonschema, and than pydantic's models on a valid document. The other ratios have no limit.
Pydantic builds no objects for typed dictionaries and for invalid documents; pure Python does not reach that.
"""

from __future__ import annotations

import copy
import functools
import json
import operator
from typing import Annotated, Any, Literal, NotRequired

from jsonschema import Draft202012Validator
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError, create_model
from typing_extensions import TypedDict  # pydantic requires this one before Python 3.12

from benchmarks.sample import sample_text
from benchmarks.timing import print_ratios, side_by_side
from rui_common.describe import json_schema
from rui_common.validation.run import validate
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Shape

SIZE = 250_000


def as_model(shape: Shape) -> Any:
    """Return a shape as a pydantic model."""
    fields = {
        prop.name: (annotation(prop.kind, as_model), ... if prop.required else None) for prop in shape.props.values()
    }
    return create_model(shape.name, __config__=config(shape), **fields)


def as_typed_dict(shape: Shape) -> Any:
    """Return a shape as a typed dictionary."""
    fields = {prop.name: annotation(prop.kind, as_typed_dict) for prop in shape.props.values()}
    optional = {name: NotRequired[fields[name]] for name in fields if name not in shape.required}
    made = TypedDict(shape.name, fields | optional)  # type: ignore[operator]  made at run time
    made.__pydantic_config__ = config(shape)
    return made


def config(shape: Shape) -> ConfigDict:
    return ConfigDict(extra="allow" if shape.open else "forbid", strict=True)


def annotation(kind: Kind, of_shape: Any) -> Any:
    """Return a kind as a type for pydantic; `of_shape` creates the types of objects."""
    if isinstance(kind, EnumKind):
        return Literal[kind.values]
    if isinstance(kind, TextKind):
        return Annotated[str, StringConstraints(pattern=kind.pattern, max_length=kind.max_length)]
    if isinstance(kind, ObjectKind):
        return of_shape(kind.shape)
    if isinstance(kind, ListKind):
        return Annotated[list[annotation(kind.items, of_shape)], Field(min_length=1)]
    assert isinstance(kind, NodeKind)
    types = [of_shape(shape) for shape in kind.shapes]
    return (
        types[0] if len(types) == 1 else Annotated[functools.reduce(operator.or_, types), Field(discriminator="type")]
    )


def count(adapter: TypeAdapter[Any], value: object) -> int:
    """Return the number of errors that pydantic finds."""
    try:
        adapter.validate_python(value)
    except ValidationError as error:
        return error.error_count()
    return 0


def with_errors(value: dict[str, Any]) -> dict[str, Any]:
    """Return a copy with 50 unknown properties in different blocks."""
    broken = copy.deepcopy(value)
    blocks = [block for page in broken["pages"] for section in page["children"] for block in section["children"]]
    for block in blocks[:: len(blocks) // 50][:50]:
        block["colour"] = "red"
    return broken


def main() -> bool:
    """Print the ratios; return whether the limits are kept."""
    jsonschema = Draft202012Validator(json_schema())
    models = TypeAdapter(as_model(VOCABULARY.root))
    dictionaries = TypeAdapter(as_typed_dict(VOCABULARY.root))
    valid: dict[str, Any] = json.loads(sample_text(SIZE))
    kept = True
    for title, value, errors in (("valid", valid, 0), ("with 50 errors", with_errors(valid), 50)):
        # The comparison is meaningless unless all agree. (jsonschema counts differently.)
        assert len(list(validate(value))) == count(models, value) == count(dictionaries, value) == errors
        assert jsonschema.is_valid(value) == (errors == 0)
        functions = {
            "validate": lambda value=value: list(validate(value)),
            "pydantic, models": lambda value=value: count(models, value),
            "pydantic, typed dictionaries": lambda value=value: count(dictionaries, value),
            "jsonschema": lambda value=value: list(jsonschema.iter_errors(value)),
        }
        seconds = side_by_side(functions, rounds=8)
        for peer in [name for name in functions if name != "validate"]:
            pair = {name: seconds[name] for name in (peer, "validate")}
            limited = peer == "jsonschema" or (peer == "pydantic, models" and not errors)
            heading = f"Structure of a read document of {SIZE // 1000} KB, {title}, compared with {peer}"
            kept &= print_ratios(heading, pair, peer, {"validate": 1} if limited else {})
    return kept


if __name__ == "__main__":
    main()
