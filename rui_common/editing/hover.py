"""Declaration → Markdown for somebody who points at it: documentation, type, allowed values, rules."""

from __future__ import annotations

from rui_common.vocabulary.queries import broken_rules, parents
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Prop, Shape


def prop_text(owner: Shape | None, prop: Prop, docs_url: str) -> str:
    """A property: whose it is, its type, what it is for, what is allowed, and the rules about it with links.

    Args:
        owner: the shape that it belongs to.
        prop: its declaration.
        docs_url: the page of rules.
    """
    name = prop.name if owner is None else f"{owner.name}.{prop.name}"
    parts = [f"**{name}**: `{prop.kind.notation()}`" + (" (required)" if prop.required else ""), prop.doc]
    if prop.kind.values:
        parts.append("Allowed: " + ", ".join(f"`{value}`" for value in prop.kind.values))
    if prop.kind.form:
        parts.append(f"Form: {prop.kind.form}")
    numbers = dict.fromkeys(number for _, number in broken_rules(prop))
    parts += [f"- [{number}]({docs_url}#{number.lower()}): {RULES[number].condition}" for number in numbers]
    return "\n\n".join(parts[:3]) + "".join("\n\n" + part for part in parts[3:])


def shape_text(shape: Shape) -> str:
    """A shape: what it is for, its properties, and where it may stand."""
    props = [
        f"- `{prop.name}`{' (required)' if prop.required else ''}: `{prop.kind.notation()}`. {prop.doc}"
        for prop in (*shape.props.values(), *shape.suggested.values())
    ]
    places = ", ".join(f"`{place}`" for place in parents(VOCABULARY, shape))
    parts = [f"**{shape.name}**", shape.doc, "\n".join(props), f"Stands in {places}." if places else ""]
    return "\n\n".join(part for part in parts if part)
