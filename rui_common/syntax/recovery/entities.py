"""Characters that are escaped as in HTML: ``&quot;``, ``&#34;``, ``&#x22;``, also twice (``&amp;quot;``)."""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

_ENTITY = re.compile(r"&(?>(?:amp;)*)(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_AMPERSANDS = re.compile(r"&(?>(?:amp;)+)(?=#?\w{1,31};)")


class Entity(NamedTuple):
    """An escaped character in a text."""

    character: str
    start: int
    end: int


def entity_at(text: str, start: int) -> Entity | None:
    """Return the escaped character at an offset, or None."""
    match = _ENTITY.match(text, start)
    return None if match is None else _entity(match)


def entities_in(text: str, start: int, end: int) -> Iterator[Entity]:
    """Yield the escaped characters in a range of a text."""
    return filter(None, map(_entity, _ENTITY.finditer(text, start, end)))


def unescape(text: str) -> str:
    """Return a text with all characters that are escaped as in HTML."""
    return html.unescape(_AMPERSANDS.sub("&", text))


def _entity(match: re.Match[str]) -> Entity | None:
    character = html.unescape(f"&{match[1]};")
    if len(character) != 1:
        return None
    return Entity(character, *match.span())
