"""The reference of the vocabulary as Markdown, for docs/vocabulary.md and for the documentation of the service."""

from collections.abc import Iterator
from typing import Any

from rui_common.describe.examples import full_example, minimal_example, shape_example
from rui_common.describe.markdown import block, bullets, code, code_list, json_block, page, table
from rui_common.describe.rule_pages import anchor
from rui_common.describe.vocabulary_json import symbol_payload
from rui_common.vocabulary.queries import broken_rules, children, parents
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import PLANNED
from rui_common.vocabulary.schema import Prop, Shape, Vocabulary
from rui_common.vocabulary.signatures import legend, signatures


def vocabulary_markdown(vocabulary: Vocabulary = VOCABULARY) -> str:
    """Return the reference of every shape and property, with a section for each shape."""
    return page(
        f"# The vocabulary of RUI {vocabulary.version}",
        "Every shape with its properties in canonical order.",
        "A node has an `id` and a `type`. A *strict* shape has only the properties listed here; an *open* one may have "
        "others. Editors propose a property *by convention*, but it is not validated.",
        "## Summary",
        legend(vocabulary),
        block("\n".join(signatures(vocabulary)), "text"),
        *(_section(shape, vocabulary) for shape in vocabulary.shapes.values()),
        "## Names",
        table(
            ["Name", "Purpose", "Defined by", "Used by", "Unique in", "Rules"],
            [_symbol(symbol_payload(symbol, vocabulary)) for symbol in vocabulary.symbols],
        ),
        "## Planned for a later version",
        f"Using one of these is {_link(PLANNED)}.",
        bullets(_planned(vocabulary)),
        "## The smallest document",
        json_block(minimal_example(vocabulary)),
        "## A document with every shape and property",
        json_block(full_example(vocabulary)),
    )


def _section(shape: Shape, vocabulary: Vocabulary) -> str:
    rows = [
        [code(prop.name), _value(prop), "yes" if prop.required else "no", prop.doc, _rules(prop)]
        for prop in shape.props.values()
    ]
    rows += [[code(prop.name), _value(prop), "by convention", prop.doc, "—"] for prop in shape.suggested.values()]
    return page(
        f"## {shape.name}",
        shape.doc,
        bullets(_facts(shape, vocabulary)),
        table(["Property", "Value", "Required", "Purpose", "Rules"], rows),
        json_block(shape_example(shape)),
    )


def _facts(shape: Shape, vocabulary: Vocabulary) -> Iterator[str]:
    openness = "open" if shape.open else "strict"
    yield f"Sort: {openness} {shape.role or ''}".rstrip()
    if shape is vocabulary.root:
        yield "Used: at the root of the document"
    else:
        yield f"Used in: {code_list(parents(vocabulary.root, shape))}"
    if shape.is_node:
        yield f"Children: {code_list(children(shape))}"


def _value(prop: Prop) -> str:
    notation = code(prop.kind.notation())
    if prop.kind.form:
        return f"{notation}: {prop.kind.form}"
    return notation


def _rules(prop: Prop) -> str:
    by_rule: dict[str, list[str]] = {}
    for problem, number in broken_rules(prop):
        by_rule.setdefault(number, []).append(problem.replace(":", " "))
    return "; ".join(f"{', '.join(problems)}: {_link(number)}" for number, problems in by_rule.items())


def _link(number: str) -> str:
    return f"[{number}](rules.md{anchor(number)})"


def _symbol(symbol: dict[str, Any]) -> list[str]:
    links = ", ".join(f"{problem}: {_link(number)}" for problem, number in symbol["breaks"].items())
    places = [code_list(symbol[key]) for key in ("definedBy", "usedBy")]
    return [symbol["name"], symbol["description"], *places, code(symbol["scope"]), links]


def _planned(vocabulary: Vocabulary) -> Iterator[str]:
    for name, doc in vocabulary.planned.items():
        yield f"{code(name)}: {doc}"
    for shape in vocabulary.shapes.values():
        for name, doc in shape.planned_types.items():
            yield f"{code(name)} as the `type` of a {shape.name}: {doc}"
