"""Hover texts: the documentation, as Markdown, of a property, a shape, or the value at an offset of a document."""

from typing import NamedTuple

from rui_common.editing.names import in_text_order
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import Member
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.queries import parents, rule_url
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.schema import Prop, Shape, Vocabulary

SEPARATOR = "\n\n---\n\n"  # The line between two parts of a text


class Hover(NamedTuple):
    """The documentation of the key or simple value at an offset."""

    span: Span  # the range of the key or value
    text: str  # its documentation, as Markdown


def hover_at(analysis: Analysis, offset: int, docs_url: str) -> Hover | None:
    """Return the documentation of the key or simple value at an offset; None if there is none.

    The rules that the value breaks are described, too.
    """
    path = analysis.document.path_at(offset)
    member = analysis.document.find(path)
    node = analysis.tree.at(path[:-1])
    if member is None or node is None or not path:
        return None
    span = _hovered_span(member, offset)
    prop = node.prop_of(path[-1])
    if span is None or prop is None:
        return None
    is_key = span == member.key_span
    parts: list[str] = []
    shape = node.shape
    if not is_key and shape is not None and shape.is_node and node.get(prop.name) == shape.name:
        parts.append(shape_text(node.vocabulary.shapes[shape.name], node.vocabulary))
    if not is_key:
        parts += _reference_texts(analysis, path)
    parts.append(prop_text(shape, prop))
    rules = dict.fromkeys(
        finding.rule for finding in analysis.findings if finding.step == prop.name and finding.node is node
    )
    parts += [rule_text(number, docs_url) for number in rules if number in RULES]
    return Hover(span, SEPARATOR.join(parts))


def prop_text(owner: Shape | None, prop: Prop) -> str:
    """Describe a property: owner, type, purpose, allowed values."""
    prefix = ""
    if owner:
        prefix = f"{owner.name}."
    parts = [f"**{prefix}{prop.name}**: `{prop.kind.notation()}`{_required_mark(prop)}", prop.doc]
    if prop.kind.values:
        parts.append("Allowed: " + ", ".join(f"`{value}`" for value in prop.kind.values))
    if prop.kind.form:
        parts.append(f"Form: {prop.kind.form}")
    return "\n\n".join(parts)


def rule_text(number: str, docs_url: str) -> str:
    """Describe a rule that is broken: a link to its page, its condition, and the reason for it."""
    rule = RULES[number]
    link = number
    if docs_url:
        link = f"[{number}]({rule_url(docs_url, number)})"
    return f"{link} {rule.condition} {rule.why}"


def shape_text(shape: Shape, vocabulary: Vocabulary) -> str:
    """Describe a shape: purpose, properties, and the properties that may contain it."""
    props = [f"- `{prop.name}`{_required_mark(prop)}: `{prop.kind.notation()}`. {prop.doc}" for prop in shape.all_props]
    containers = ", ".join(f"`{container}`" for container in parents(vocabulary.root, shape))
    parts = [f"**{shape.name}**", shape.doc, "\n".join(props)]
    if containers:
        parts.append(f"Used in {containers}.")
    return "\n\n".join(parts)


def _required_mark(prop: Prop) -> str:
    if prop.required:
        return " (required)"
    return ""


def _hovered_span(member: Member, offset: int) -> Span | None:
    """Return the span of the key or simple value at an offset; None if a later property overrides that."""
    value = None if member.members() is not None else member.span
    for span in (member.key_span, value):
        if span is not None and span.start <= offset <= span.end:
            return span
    return None


def _reference_texts(analysis: Analysis, path: Path) -> list[str]:
    """Return the definitions that a reference names."""
    names = analysis.names
    if names.is_definition(path):
        return []
    texts = []
    for definition in in_text_order(analysis, names.definitions(path)):
        name = names.at(definition)[0]
        if name.node.shape is None:
            continue
        text = f"{name.node.shape.name} `{name.text}`"
        label = name.node.label.replace("`", "'")
        if label:
            text = f"{text}: {label}"
        texts.append(text)
    return texts
