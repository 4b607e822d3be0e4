"""Which colour a type has. The stylesheet has a light and a dark form of each."""

from __future__ import annotations

from functools import lru_cache
from itertools import cycle
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rui_common.vocabulary.schema import Vocabulary

PALETTE = ("blue", "violet", "green", "orange", "amber", "teal", "cyan", "rose", "lime")
"""The colours that types may have."""

UNKNOWN_COLOR = "grey"
"""The colour of types that the vocabulary does not know."""


@lru_cache(8)
def colors_of(vocabulary: Vocabulary) -> Mapping[str, str]:
    """The colour of every type: the one that it declares, else one that no other has, as long as there are any."""
    declared = {name: shape.color for name, shape in vocabulary.nodes.items() if shape.color in PALETTE}
    spare = cycle([color for color in PALETTE if color not in declared.values()] or PALETTE)
    return {name: declared[name] if name in declared else next(spare) for name in vocabulary.nodes}
