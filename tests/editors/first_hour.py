"""What an author types in the first hour, for VS Code and Neovim, and ten typical mistakes."""

import re
from typing import NamedTuple

from tests.editors.neovim import DESK

MAX_KEYS = 120
"""Maximum number of keys that are not the author's own words."""


class Keys(NamedTuple):
    """Keys without a pause between them.

    Attributes:
        keys: typed characters, and other keys in angle brackets, such as ``<Control+.>``. The author's own words, such
            as titles and paths, are in ``«»``.
        shown: what they show.
        text: a part of the text in the editor after the keys.
        error: the code of the error after the keys; "" if there is none.
    """

    keys: str
    shown: str = "body"
    text: str = ""
    error: str = ""

    def each(self) -> list[str]:
        return re.findall(r"<[^<>]+>|[^«»]", self.keys)

    def count(self) -> int:
        """Return the number of keys that are not the author's own words."""
        return len(re.findall(r"<[^<>]+>|.", re.sub("«.*?»", "", self.keys)))


Steps = tuple[tuple[str, tuple[Keys, ...]], ...]


def count(steps: Steps) -> int:
    """Return the number of all keys that are not the author's own words, and print it."""
    keys = sum(part.count() for _, parts in steps for part in parts)
    print(f"{keys} keys that are not the author's own words")
    return keys


class Mistake(NamedTuple):
    """A mistake in a document without errors.

    Attributes:
        right: a part of the example.
        wrong: what the author wrote.
        fixed: what the first fix makes of it; by default `right`.
    """

    right: str
    wrong: str
    fixed: str = ""

    def texts(self) -> tuple[str, str]:
        """Return the text with the mistake, and the text after the first fix."""
        assert self.right in DESK
        return DESK.replace(self.right, self.wrong, 1), DESK.replace(self.right, self.fixed or self.right, 1)


MISTAKES = (
    Mistake('"type": "Metric"', '"type": "Metrc"'),
    Mistake('"/api/orders/summary"', '"api/orders/summary"'),
    Mistake('"/api/orders/summary"', '"GET /api/orders/summary"'),
    Mistake('"data.nextPickup"', '"$.data.nextPickup"'),
    Mistake('"id": "refresh-note"', '"id": "Refresh note"'),
    Mistake('"id": "refresh-note"', '"id": "orders"', '"id": "orders-2"'),
    Mistake('"pageId": "stock"', '"pageId": "stok"'),
    Mistake('{"key": "number"', '{"kye": "number"'),
    Mistake('"field": "status"', '"field": "state"'),
    Mistake('"label": "Customer"},', '"label": "Customer"}'),
    Mistake('"label": "Customer"},', '"label": "Customer",'),
    Mistake('"label": "Customer"}', '"label": "Customer}'),
    Mistake('"format": "text"\n', '"format": "text",\n'),
)
