"""What a final document has lost of a first draft in any format: texts, labels, endpoints, field names and numbers.

A draft is compared with what its final document shows: the declared properties. What RUI cannot express comes apart.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from rui_common.suggest import kebab_case, squash
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path, format_path
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Role

_ENDPOINT = re.compile(r"(?<![\w<.])(?:[a-z]+://[^/\s\"']+)?(/[\w$:{}~.%-][\w$:{}~.%/-]*(?:\?[^\s\"'()]*)?)")
_CODE = re.compile(r"\w\(|=>|\{\{|<\w|^#[0-9A-Fa-f]{3,8}$")
"""A call, function, template, tag or colour of another system."""
_MARKUP = re.compile(r"(?<!\w)[*_`]{1,2}(?=\w)|(?<=[\w.!?])[*_`]{1,2}(?!\w)|^\s*[#>-]+ ", re.MULTILINE)
_PART = re.compile(r"`([^`\n]+)`|\*+([^*\n]+)\*+|\"([^\"\n]+)\"|^[#>] *([^\"\n]+)$", re.MULTILINE)
"""A part of a text without structure that has marks around it, or is a heading or quotation."""
_CELLS = re.compile(r"[;|\t]")
_NAME = re.compile(r"[a-z_$][\w$-]*|[\w$-]*[\d_]\w*")
"""A name for programs, in contrast to a text for people."""
_NAMING = (Role.FIELD, Role.OPTION, Role.SELECT)
_API_NAMES = {word for _, prop in VOCABULARY.props if prop.role in _NAMING for word in prop.synonyms.split()}
_API_NAMES -= {"id", "key", "name", "code"}  # which name nodes, too
"""What other systems call properties whose value is a name of the API."""
_TYPES = {word for shape in VOCABULARY.nodes.values() for word in (shape.name.lower(), *shape.others.types)}
_WORDS = {word for _, prop in VOCABULARY.props for word in (prop.name.lower(), *prop.synonyms.split())}
_WORDS |= _TYPES | {*VOCABULARY.type_advice, "column"}
"""Words of a draft without structure that are no content, such as the heads of columns."""
_TYPE_KEYS = {
    word
    for _, prop in VOCABULARY.props
    if prop.name in ("type", "format", "version")
    for word in (prop.name, *prop.synonyms.split())
}
"""What other systems call properties whose value is a word of the system, or its version."""


class Content(NamedTuple):
    """A text or number of a draft, and where it is."""

    path: Path
    text: str

    def line(self) -> str:
        """Return one line for a report."""
        return f"  {format_path(self.path) or 'text'}: {' '.join(self.text.split())}"


class Loss(NamedTuple):
    """The content of a draft that its final document does not show.

    Attributes:
        lost: what RUI can express.
        unplaced: what it cannot express, such as colours, code and settings of other systems.
    """

    lost: list[Content]
    unplaced: list[Content]

    def text(self) -> str:
        """Return a report."""
        lines = [f"lost: {len(self.lost)}", *(content.line() for content in self.lost)]
        lines += [f"no place in RUI: {len(self.unplaced)}", *(content.line() for content in self.unplaced)]
        return "\n".join(lines)


def loss(draft: bytes, final: bytes) -> Loss:
    """Compare a first draft with its final document."""
    shown = _shown(read(final))
    result = Loss([], [])
    for content, is_expressible in _content_of(read(draft)):
        if not any(_is_kept(content.text, text) for text in shown):
            (result.lost if is_expressible else result.unplaced).append(content)
    return result


def _shown(document: Document) -> set[str]:
    """Return the texts of all declared properties of a document."""
    members = [(node.prop_of(key), value) for node in Analysis(document).tree for key, value in node.members.items()]
    return {_plain(value) for prop, value in members if prop is not None and isinstance(value, str)}


def _is_kept(text: str, shown: str) -> bool:
    """Return whether a text is part of a shown one, in whole words; a name may be written in kebab-case."""
    if text.startswith("/") or shown.startswith("/"):  # the address of a page is its id here
        return shown in (text, text.strip("/"), f"/{text}", text.strip("/").replace("/", "."))  # or a JSON Pointer
    plain = re.escape(_plain(text).removeprefix("$."))
    if re.search(rf"(?<![\w.-]){plain}(?!\.?[\w-])", shown):
        return True
    return _NAME.fullmatch(text) is not None and kebab_case(text) == shown


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split())


def _content_of(draft: Document) -> Iterator[tuple[Content, bool]]:
    """Yield the content of a draft, and whether RUI can express it."""
    if isinstance(draft.value, dict | list) and draft.value:
        for path, value in _leaves(draft.value, ()):
            yield from _content_at(path, value)
        return
    for line in draft.text.splitlines():
        cells = _CELLS.split(line)
        parts = cells if len(cells) > 2 else ["".join(groups) for groups in _PART.findall(line)]
        for part in parts:
            if re.search(r"\w", part):
                yield from _content_at((), part.strip())


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(inner, (*path, step))
    else:
        yield path, value


def _content_at(path: Path, value: object) -> Iterator[tuple[Content, bool]]:
    keys = [step for step in path if isinstance(step, str)]
    key = squash(keys[-1]) if keys else ""
    is_placed = key != "$schema" and not any(_words(step) & VOCABULARY.root.others.unplaced for step in keys)
    is_in_list = bool(path) and isinstance(path[-1], int)
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield Content(path, str(value)), is_placed and is_in_list
        return
    text = str(value)
    endpoints = [match[1] for match in _ENDPOINT.finditer(text)]
    if (endpoints and text not in endpoints) or _CODE.search(text):  # an expression: its endpoints and its texts count
        quoted = re.findall(r"\"([^\"/=]*[A-Za-z][^\"/=]*)\"", text)
        yield from ((Content(path, part.strip(" :")), is_placed) for part in [*endpoints, *quoted])
    elif key in _TYPE_KEYS or (not path and squash(text) in _WORDS):
        yield Content(path, text), False
    elif _NAME.fullmatch(text) and not endpoints:
        yield Content(path, text), is_placed and (key in _API_NAMES or is_in_list or not path)
    else:
        yield from ((Content(path, line), is_placed) for line in text.splitlines() if line.strip())


def _words(name: str) -> set[str]:
    return {squash(name), *kebab_case(name).split("-")}
