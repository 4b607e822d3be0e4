"""What the two copies of the vocabulary that are independent on purpose lack: the oracle and the peer in pydantic.

Everything else comes from the vocabulary.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import get_args

from benchmarks import peers
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import READ_BINDING, VOCABULARY
from rui_common.vocabulary.schema import Prop, Shape
from tests.inputs.sample import sample
from tests.support import oracle
from tests.support.strategies import ValueGenerator

NODES = VOCABULARY.nodes
STRICT = [shape for shape in VOCABULARY.shapes.values() if not shape.open]


def row(shape: Shape) -> str:
    """Return the line of a shape in `TABLE` of the oracle."""
    registered = [prop.name + "!" * prop.required for prop in shape.props.values()]
    suggested = [f"{name}?" for name in shape.suggested]
    return f"{shape.name:16}{'open' if shape.open else 'strict':8}{' '.join([*registered, *suggested])}"


def lacking_in_oracle() -> Iterator[str]:
    rows = {row(shape) for shape in VOCABULARY.shapes.values()}
    yield from (f"TABLE: {line}" for line in rows ^ {*oracle.TABLE.strip().splitlines()})
    if (*VOCABULARY.planned,) != oracle.PLANNED:
        yield f"PLANNED: {(*VOCABULARY.planned,)}"
    checked = [(shape, prop) for shape in (*NODES.values(), READ_BINDING) for prop in shape.props.values()]
    for shape, prop in [*checked, (VOCABULARY.root, VOCABULARY.root.props["pages"])]:
        if prop.name not in ("type", "method"):
            entry, found, expected = entry_of(shape, prop)
            if found != expected:
                yield f"{entry}: {expected}"


def entry_of(shape: Shape, prop: Prop) -> tuple[str, object, object]:
    """Return the entry of the oracle for a property, what it has, and what it must have."""
    name, kind = prop.name, prop.kind
    if isinstance(kind, EnumKind):
        return f"ENUMS {shape.name}.{name}", oracle.ENUMS.get(f"{shape.name}.{name}"), kind.values
    if isinstance(kind, TextKind) and kind.pattern:
        return f"FORMS {name}", oracle.FORMS.get(name, ("",))[0], kind.rule
    if isinstance(kind, TextKind):
        return f"TEXTS {name}", name in oracle.TEXTS, True
    if isinstance(kind, ListKind) and isinstance(kind.items, NodeKind):
        place = name if shape is VOCABULARY.root else shape.name
        return f"ALLOWED {place}", oracle.ALLOWED.get(place), [*kind.items.types]
    if isinstance(kind, ListKind):
        found = oracle.LISTS.get(name)
        expected = (kind.rule, kind.inner_shapes[0].name, kind.at_least, kind.at_most)
        return f"LISTS {name}", found and (found.rule, found.shape, found.at_least, found.at_most), expected
    is_required = any(inner.tightened for inner in kind.inner_shapes)
    return f"VALUE_PATH_REQUIRED {shape.name}", shape.name in oracle.VALUE_PATH_REQUIRED, is_required


def lacking_in_peer() -> Iterator[str]:
    for name, shape in NODES.items():
        model = getattr(peers, name, None)
        if model is None:
            yield f"class {name}"
            continue
        fields = model.model_fields
        yield from (f"{name}.{prop}" for prop in shape.props.keys() ^ fields.keys())
        yield from (f"{name}.{prop}: required or not" for prop in {*shape.required} ^ required_of(model))
        for prop in shape.props.keys() & fields.keys():
            kind = shape.props[prop].kind
            types = get_args(fields[prop].annotation) or (fields[prop].annotation,)
            if kind.values not in ((), types):
                yield f"{name}.{prop}: {kind.values}"
            if isinstance(kind, ObjectKind) and required_of(types[0]) != {*kind.shape.required}:
                yield f"{name}.{prop}: it requires {kind.shape.required}"
    blocks = {model.__name__ for model in get_args(get_args(peers.Block)[0])}
    yield from (f"Block: {name}" for name in NODES["Section"].props["children"].kind.items.types.keys() ^ blocks)


def required_of(model: type[peers.BaseModel]) -> set[str]:
    return {name for name, field in model.model_fields.items() if field.is_required()}


def test_the_oracle_lacks_nothing() -> None:
    """Entries that `tests/support/oracle.py` lacks, or that no longer belong there."""
    assert "\n".join(lacking_in_oracle()) == ""


def test_the_peer_in_pydantic_lacks_nothing() -> None:
    """What `benchmarks/peers.py` lacks, or what no longer belongs there."""
    assert "\n".join(lacking_in_peer()) == ""


def test_random_documents_and_samples_have_every_property() -> None:
    """They come from the vocabulary, without a change of their modules."""
    documents = [ValueGenerator(Random(seed)).document() for seed in range(50)]
    for text in (json.dumps(documents), json.dumps(sample(20_000))):
        assert {name for shape in STRICT for name in shape.props if f'"{name}": ' not in text} == set()
        assert {name for name in NODES if f'"type": "{name}"' not in text} == set()
