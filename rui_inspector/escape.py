"""Any text → HTML that shows it: escaped, and with what could not be seen made visible."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SHORT = 64
"""Characters of a text that is worth remembering."""

LONG = 320
"""Characters of a text that are shown before it is folded."""

BEGINNING = 140
"""Characters that are shown of a folded one."""

# Characters that would not be seen, or would change how others are seen: all control characters but tab and line
# feed, soft hyphens, marks of writing direction, line and paragraph separators, halves of surrogate pairs, U+FEFF, and
# code points that are no characters. Joiners belong to the words of some languages.
_UNSEEN_CLASS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U0001fffe\U0001ffff\U000e0000-\U000e0fff"
)
_FILLERS = "\u115f\u1160\u3164\uffa0"
"""Those among them that pass for letters."""
_SPECIAL = re.compile(f"[&<>\"'{_UNSEEN_CLASS}]")
_UNSEEN = re.compile(f"[{_UNSEEN_CLASS}]")
_BETWEEN = "\t"
"""A character that is shown as it is, and hardly ever stands in a text."""
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}


def shown(text: str) -> str:
    """`text` as HTML, with the characters that cannot be seen made visible as ``U+202E``."""
    return _shown(text) if len(text) <= SHORT else _SPECIAL.sub(_entity, text)


@lru_cache(4096)
def _shown(text: str) -> str:
    """The same for short texts: names, types and labels come again and again."""
    return _SPECIAL.sub(_entity, text)


def show(text: str) -> Markup:
    """The same for templates."""
    return Markup(shown(text))  # noqa: S704  it is escaped


def clipped(text: str) -> str:
    """`text`, or the beginning of a long one, for where it is only a name; in full it stands elsewhere."""
    return text if len(text) <= LONG else f"{text[:BEGINNING]}…"


def attribute(text: str) -> str:
    """`text` for an attribute in double quotes; what cannot be seen is written as ``U+202E`` there, too."""
    return _SPECIAL.sub(_for_attribute, text)


class Written(dict[str, str]):
    """Texts as HTML, each written once; only for texts of one to `LONG` characters: TypeError for anything else.

    Args:
        write: writes a text.
    """

    def __init__(self, write: Callable[[str], str]) -> None:
        super().__init__()
        self._write = write

    def prepare(self, texts: Iterable[str]) -> None:
        """Write many texts at once: one search through all of them costs a fraction of one for each."""
        known = [text for text in {*texts} if 0 < len(text) <= LONG]
        written = _SPECIAL.sub(_entity, _BETWEEN.join(known)).split(_BETWEEN)
        if len(written) == len(known):  # else it stands in one of them, too
            self.update(zip(known, written, strict=True))

    def __missing__(self, text: str) -> str:
        if type(text) is not str or not 0 < len(text) <= LONG:
            raise TypeError
        html = self[text] = self._write(text)
        return html


def writer_for(texts: Iterable[str]) -> Callable[[str], str]:
    """`attribute`, or what does the same for these texts in less time: one look at all of them may be enough."""
    whole = "".join(texts)
    return str if attribute(whole) == whole else attribute


def marked(text: str, words: Sequence[str]) -> str:
    """`text` as HTML with every occurrence of one of `words` marked; capitals make no difference."""
    wanted = [re.escape(word.casefold()) for word in sorted(words, key=len, reverse=True) if word]
    if not wanted:
        return shown(text)
    parts: list[str] = []
    at = 0
    # Where a character folds into several, as ß does into ss, every one of them has the place of that character.
    folded = [character.casefold() for character in text]
    places = [place for place, some in enumerate(folded) for _ in some]
    for match in re.finditer("|".join(wanted), "".join(folded)):
        start, end = places[match.start()], places[match.end() - 1] + 1
        if start >= at:
            parts += (shown(text[at:start]), f"<mark>{shown(text[start:end])}</mark>")
            at = end
    return "".join((*parts, shown(text[at:])))


def shown_json(lines: list[str]) -> list[str]:
    """Lines of JSON as HTML; what cannot be seen stands there as the escape that JSON has for it, and says the same."""
    # One look at all of it costs a tenth of the search, and nearly every document passes.
    whole = "".join(lines)
    beyond = "" if whole.isascii() else "".join([line for line in lines if not line.isascii()])
    if "\x7f" in whole or not beyond.isprintable() or any(filler in beyond for filler in _FILLERS):
        lines = [_UNSEEN.sub(lambda match: json.dumps(match[0])[1:-1], line) for line in lines]
    if "&" in whole or "<" in whole or ">" in whole:
        lines = [line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for line in lines]
    return lines


def _entity(match: re.Match[str]) -> str:
    character = match[0]
    entity = _ENTITIES.get(character)
    if entity is not None:
        return entity
    name = unicodedata.name(character, "control character").lower()
    return f'<span class="unseen" title="{name}">U+{ord(character):04X}</span>'


def _for_attribute(match: re.Match[str]) -> str:
    return _ENTITIES.get(match[0]) or f"U+{ord(match[0]):04X}"
