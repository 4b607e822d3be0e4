"""The colour of each type of node. The stylesheet defines a light and a dark form of each colour."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import cycle

from rui_common.vocabulary.schema import Vocabulary

PALETTE = ("blue", "violet", "green", "amber", "orange", "teal", "cyan", "rose", "lime")
"""The colours of types, in the order in which the vocabulary declares the types."""

UNKNOWN_COLOR = "grey"
"""The colour of types that the vocabulary does not declare."""


@lru_cache(8)
def colors_of(vocabulary: Vocabulary) -> Mapping[str, str]:
    """Return the colour of every type: the next one of the palette, which starts again at its end."""
    return dict(zip(vocabulary.nodes, cycle(PALETTE), strict=False))
