"""The body of ``GET /api/schema?form=compact``: the vocabulary in short form, for small contexts."""

from rui_common.describe.examples import full_example
from rui_common.describe.vocabulary_json import limits_payload, planned_features, versions_payload
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.schema import Shape
from rui_common.vocabulary.signatures import legend, signatures

HOW_TO_SEND = (
    "The body of a POST is the RUI itself, sent as application/json. It is never wrapped in an object such as "
    '{"rui": ...}.',
    "Status 200 does not mean valid: check `valid`. Status 400 means that the body is not a readable JSON object.",
)
"""The conventions that clients miss most often."""


def compact_payload() -> dict[str, object]:
    """Return the vocabulary in short form: enough to write a valid RUI, in at most 2,500 tokens."""
    limits = limits_payload(VOCABULARY)
    return {
        **versions_payload(VOCABULARY),
        "notation": legend(VOCABULARY),
        "shapes": signatures(VOCABULARY),
        "meanings": {name: _meaning(shape) for name, shape in VOCABULARY.shapes.items()},
        "rules": {f"{rule.number} {rule.code}": rule.condition for rule in RULES.values()},
        "planned": {feature: list(planned) for feature, planned in planned_features(VOCABULARY).items()},
        "limits": {name: limit for name, limit in limits.items() if isinstance(limit, int)},
        "example": full_example(VOCABULARY),
        "send": f"{' '.join(HOW_TO_SEND)} POST it to /api/validate?warnings=true&fix=true, fix `errors[]` and "
        "`warnings[]` (`fixed.rui` has the safe fixes, `fixed.errors` is the rest), then POST it to /api/specs.",
        "more": "/api/schema: all properties with examples. /api/docs: endpoints and errors. "
        "The example is one app of many: write your own words and paths.",
    }


def _meaning(shape: Shape) -> str:
    """Return the description of a shape, and of those properties of a node that are objects or enums."""
    parts = [shape.doc]
    for prop in shape.props.values():
        is_described = bool(prop.kind.values) or isinstance(prop.kind, ObjectKind)
        if shape.is_node and is_described and prop.name != "type":
            parts.append(f"`{prop.name}`: {prop.doc}")
    return " ".join(parts)
