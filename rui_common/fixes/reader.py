"""Read changed texts to see whether a change is a fix, for a bounded amount of work."""

from __future__ import annotations

import json
from collections.abc import Iterable

from rui_common.editing.edits import apply
from rui_common.syntax.document import Document, read
from rui_common.syntax.spans import Edit

MAX_STEPS = 2_000_000
"""Work of the search for the fixes of a document: up to two seconds."""


class Reader:
    """Reads changed texts until its work is done.

    Attributes:
        steps: the steps that are left (see `Document.steps`).
    """

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.steps = steps

    @property
    def is_spent(self) -> bool:
        """Whether no steps are left."""
        return self.steps < 0

    def read(self, document: Document, edits: Iterable[Edit]) -> Document | None:
        """Return the document after some edits; None if two of them overlap, or no steps are left."""
        if self.is_spent:
            return None
        try:
            after = read(apply(document.text, edits))
        except ValueError:
            return None
        self.steps -= after.steps
        return after

    def improve(self, document: Document, edits: Iterable[Edit], fewer: int = 1) -> Document | None:
        """Return the document after some edits if it has the same value and at least `fewer` errors less, else None."""
        after = self.read(document, edits)
        if after is None or len(after.all_syntax) > len(document.all_syntax) - fewer:
            return None
        # As JSON, because 1, 1.0 and true are equal, and dictionaries with another order, too.
        if json.dumps(after.value) == json.dumps(document.value):
            return after
        return None
