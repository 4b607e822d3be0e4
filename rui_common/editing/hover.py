"""Hover texts: the documentation of a property or shape as Markdown."""

from __future__ import annotations

from rui_common.vocabulary.queries import broken_rules, parents
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Prop, Shape


def prop_text(owner: Shape | None, prop: Prop, docs_url: str) -> str:
    """Describe a property: owner, type, purpose, allowed values, and links to its rules."""
    prefix = f"{owner.name}." if owner else ""
    parts = [f"**{prefix}{prop.name}**: `{prop.kind.notation()}`{_required_mark(prop)}", prop.doc]
    if prop.kind.values:
        parts.append("Allowed: " + ", ".join(f"`{value}`" for value in prop.kind.values))
    if prop.kind.form:
        parts.append(f"Form: {prop.kind.form}")
    numbers = dict.fromkeys(number for _, number in broken_rules(prop) if number)
    parts += [f"- [{number}]({docs_url}#{number.lower()}): {RULES[number].condition}" for number in numbers]
    return "\n\n".join(parts)


def shape_text(shape: Shape) -> str:
    """Describe a shape: purpose, properties, and the properties that may contain it."""
    props = [
        f"- `{prop.name}`{_required_mark(prop)}: `{prop.kind.notation()}`. {prop.doc}"
        for prop in (*shape.props.values(), *shape.suggested.values())
    ]
    containers = ", ".join(f"`{container}`" for container in parents(VOCABULARY, shape))
    parts = [f"**{shape.name}**", shape.doc, "\n".join(props)]
    if containers:
        parts.append(f"Used in {containers}.")
    return "\n\n".join(parts)


def _required_mark(prop: Prop) -> str:
    return " (required)" if prop.required else ""
