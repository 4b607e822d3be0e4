"""Escape text for HTML and Markdown. Characters that are not shown, or that reorder others, become visible."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

LONG = 320  # length in characters above which a text is folded
LONG_TEXT = 600  # length in characters above which a text that the app shows is folded; as many of them remain visible
EXCERPT = 140  # characters of a folded text that are visible

# All control characters but tab and line feed, soft hyphens, bidirectional controls, line and paragraph separators,
# surrogates, U+FEFF and noncharacters. Joiners (U+200C, U+200D) belong to the words of some languages.
_INVISIBLE_CLASS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U0001fffe\U0001ffff\U000e0000-\U000e0fff"
)
_SPECIAL = re.compile(f"[&<>\"'{_INVISIBLE_CLASS}]")
_INVISIBLE = re.compile(f"[{_INVISIBLE_CLASS}]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}

LINE_END = "↵"  # what replaces a line end in a text on one line

_MARKDOWN = re.compile(r"[\\`*_{}\[\]#|~$<>&]|:(?=[\w+-]+:)|^[-+=]|(?<=^\d)[.)]|(?<=^\d\d)[.)]")
"""What has a meaning in a line of Markdown: some characters everywhere, colons of an emoji, the start of a list."""

_MENTION = re.compile(r"[@#](?=\w)|(?<=[Gg][Hh])-(?=\d)|(?<=://)|(?<=www)\.")
"""What GitHub turns into a mention, a reference or a link: an invisible space prevents it."""

_NO_LINK = "\u200b"


def escape(text: str) -> str:
    """Return `text` as HTML; an invisible character becomes an element with its code point, such as ``U+202E``."""
    return _SPECIAL.sub(_element, text)


def escape_attribute(text: str) -> str:
    """Return `text` for an attribute in double quotes; an invisible character becomes its code point."""
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0]) or f"U+{ord(match[0]):04X}", text)


def escape_content(text: str) -> str:
    """Return a long text as HTML between tags, where quotes need no escape."""
    return _INVISIBLE.sub(_element, text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def escape_in_json(text: str) -> str:
    """Return a text in JSON without invisible characters; their escapes keep the value."""
    return _INVISIBLE.sub(lambda match: json.dumps(match[0])[1:-1], text)


def escape_markdown(text: str) -> str:
    """Return a text that Markdown shows on one line as it is, without links and mentions."""
    line = escape_in_json(text.replace("\n", LINE_END).replace("\t", "\\t"))
    marked = _MENTION.sub(lambda match: f"{match[0]}{_NO_LINK}", line)
    return _MARKDOWN.sub(lambda match: _ENTITIES.get(match[0]) or f"\\{match[0]}", marked)


def excerpt(text: str) -> str:
    """Return `text`, or the beginning of a long text, for places that need a name only."""
    if len(text) <= LONG:
        return text
    return f"{text[:EXCERPT]}…"


def folded_html(text: str, visible: int, content: str, *, is_open: bool) -> str:
    """Return a disclosure with the beginning of a long text; `content` is the whole of it as HTML."""
    return (
        f'<details class="fold"{" open" if is_open else ""}>'
        f"<summary><span>{escape(text[:visible])}&hellip;</span> "
        f'<span class="more">{len(text):,} characters</span></summary>{content}</details>'
    )


def marked_html(text: str, parts: Iterable[tuple[int, int]], tag: str, write: Callable[[str], str] = escape) -> str:
    """Return `text` as HTML by `write`, with the parts from start to end in elements with this start tag.

    A part behind the end of `text`, which is the beginning of a longer one, marks its last character.
    """
    html = []
    place = 0
    name = tag.partition(" ")[0]
    for start, end in parts:
        first = max(place, min(start, len(text) - 1))
        last = min(end, len(text))
        if first < last:
            html.append(f"{write(text[place:first])}<{tag}>{write(text[first:last])}</{name}>")
            place = last
    return "".join([*html, write(text[place:])])


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter of a text with a direction is written from right to left."""
    directions = (unicodedata.bidirectional(character) for character in text)
    first = next((direction for direction in directions if direction in ("L", "R", "AL")), "L")
    return first != "L"


def highlight(text: str, words: Sequence[str]) -> str:
    """Return `text` as HTML with every occurrence of `words` marked, regardless of case."""
    longest_first = sorted(filter(None, words), key=len, reverse=True)
    if not longest_first:
        return escape(text)
    found = re.finditer("|".join(map(re.escape, longest_first)), text, re.IGNORECASE)
    return marked_html(text, [match.span() for match in found], "mark")


def _element(match: re.Match[str]) -> str:
    character = match[0]
    if character in _ENTITIES:
        return _ENTITIES[character]
    name = unicodedata.name(character, "control character").lower()
    return f'<span class="invisible" title="{name}">U+{ord(character):04X}</span>'
