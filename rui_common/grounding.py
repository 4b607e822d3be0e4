"""What an API description states about the data of a document, as plain records for wireframes."""

from dataclasses import dataclass, field
from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.texts import count_of


class StatedValue(NamedTuple):
    """A value that a block shows."""

    note: str  # its types and whether there is an example, such as ``a string · example``, or that it does not exist
    # the examples of the description, as texts: one of a single value, one a row of a column
    examples: tuple[str, ...] = ()


@dataclass
class Grounding:
    """The statements about the bindings of a document."""

    # path of a block → its operation, such as ``GET /orders/{id}: Get an order``
    operations: dict[Path, str] = field(default_factory=dict)
    # path of a block, or of an element of its list → the value that it shows
    values: dict[Path, StatedValue] = field(default_factory=dict)
    bindings: int = 0
    found: int = 0  # the number of those whose operation and value path are in the description
    unstated: int = 0  # the number of those with an operation that has no schema for the value
    lacking: int = 0  # the number of fields of rows that a found binding names and the description lacks

    def text(self) -> str:
        """Return the counts, such as ``7 of 8 bindings are in the description``; ``""`` without bindings."""
        if not self.bindings:
            return ""
        verb = "is" if 1 in (self.found, self.bindings) else "are"
        text = f"{self.found:,} of {count_of(self.bindings, 'bindings')} {verb} in the description"
        if self.unstated:
            text += f"; for {self.unstated:,} it has no schema"
        if self.lacking:
            text += f"; {self.lacking:,} {'field is' if self.lacking == 1 else 'fields are'} not"
        return text


UNGROUNDED = Grounding()  # what is stated without a description
