"""Validation of a document of 250 KB, valid and with 50 errors, compared with `json.loads` of the same text."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from benchmarks.sample import sample_text
from benchmarks.timing import print_ratios, side_by_side
from rui_common.editing.normal_form import normalize
from rui_common.validation.validator import validate

SIZE = 250_000
TEXT_PROPS = {"Table": "title", "Metric": "label", "Text": "content"}


def with_faults(value: dict[str, Any], count: int, *, seed: int = 7) -> dict[str, Any]:
    """Return a copy of a valid document with exactly `count` findings of five sorts, spread over its blocks."""
    broken = copy.deepcopy(value)
    chance = random.Random(seed)
    blocks = [block for page in broken["pages"] for section in page["children"] for block in section["children"]]
    for number, block in enumerate(chance.sample(blocks, count)):
        match number % 5:
            case 0:
                block["colour"] = "red"
            case 1:
                block["id"] = "Not An Id"[: 1 + number % 9] + f" {number}"
            case 2:
                block["type"] = "Chart"
                block["series"] = []
            case 3:
                block.pop("content", None) or block.pop("binding")
            case 4:
                block[TEXT_PROPS[block["type"]]] = 5
    assert len(list(validate(broken))) == count
    return broken


def main() -> bool:
    """Print the ratios; return whether all keep their limits."""
    kept = True
    for layout, indent in (("indented", 2), ("on one line", None)):
        text = sample_text(SIZE, indent=indent)
        value = json.loads(text)
        assert not list(validate(value))
        broken = with_faults(value, 50)
        seconds = side_by_side(
            {
                "json.loads": lambda text=text: json.loads(text),
                "validate, valid": lambda value=value: list(validate(value)),
                "validate, 50 faults": lambda broken=broken: list(validate(broken)),
                "validate, 50 faults, worded": lambda broken=broken: [f.to_item() for f in validate(broken)],
                "normalize": lambda value=value: normalize(value),
            }
        )
        title = f"Validating a read document: {len(text.encode()):,} bytes, {layout}"
        kept &= print_ratios(
            title,
            seconds,
            "json.loads",
            {"validate, valid": 2, "validate, 50 faults": 4, "validate, 50 faults, worded": 4},
        )
    return kept


if __name__ == "__main__":
    main()
