"""The vocabulary as TypeScript types, for a program that reads RUIs, such as a renderer."""

import json

from rui_common.json_values import JsonObject, as_object
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import NodeRole, Prop, Shape

_TYPES = {"integer": "number"}  # the types of JSON Schema that have another name in TypeScript


def typescript() -> str:
    """Return a declaration of each shape, and of `Block`, the union of all blocks.

    Suggested properties have the type that the vocabulary suggests. They are not validated, which their comments say.
    """
    blocks = [shape.name for shape in VOCABULARY.nodes.values() if shape.role is NodeRole.BLOCK]
    parts = [f"// RUI {VOCABULARY.version}: `rui schema --typescript` writes these types.\n"]
    parts += [_interface(shape) for shape in VOCABULARY.shapes.values()]
    parts.append(f"/** Any block; its `type` tells which. */\nexport type Block = {' | '.join(blocks)};\n")
    return "\n".join(parts)


def _interface(shape: Shape) -> str:
    lines = [_comment(shape.doc), f"export interface {shape.name} {{"]
    for prop in shape.props.values():
        doc = f"{prop.doc} It is {prop.kind.form}." if isinstance(prop.kind, ListKind) and prop.kind.form else prop.doc
        lines += [f"  {_comment(doc)}", f"  {_member(prop, is_required=prop.name in shape.required)}"]
    for prop in shape.suggested.values():
        doc = f"{prop.doc} Suggested: a valid RUI may have any value here."
        lines += [f"  {_comment(doc)}", f"  {_member(prop, is_required=False)}"]
    if shape.open:
        lines.append("  [name: string]: unknown;")
    return "\n".join([*lines, "}\n"])


def _member(prop: Prop, *, is_required: bool) -> str:
    mark = "" if is_required else "?"
    return f"{prop.name}{mark}: {_type(prop.kind.json_schema(lambda shape: shape.name))};"


def _type(schema: JsonObject) -> str:
    """Return the type of the values that a schema of `Kind.json_schema` accepts; its references are names of shapes."""
    match schema:
        case {"$ref": str(name), "required": [*names]}:
            return f"{name} & Required<Pick<{name}, {_literals(names)}>>"
        case {"$ref": str(name)}:
            return name
        case {"const": value}:
            return _literals([value])
        case {"enum": [*values]}:
            return _literals(values)
        case {"anyOf": [*choices]}:
            return " | ".join(_type(as_object(choice)) for choice in choices)
        case {"type": "array", "items": items}:
            element = _type(as_object(items))
            return f"({element})[]" if " " in element else f"{element}[]"
        case {"type": str(name)}:
            return _TYPES.get(name, name)
    return "unknown"


def _literals(values: list[object]) -> str:
    return " | ".join(json.dumps(value, ensure_ascii=False) for value in values)


def _comment(text: str) -> str:
    return f"/** {text.replace('*/', '* /')} */"
