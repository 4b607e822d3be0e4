"""Sentences with two marks, and the words by which they name elements.

A sentence is text in which ``**name**`` is a name of the app and `` `code` `` a path or value. In all texts of a
document, a backslash precedes ``*``, `` ` `` and a backslash, so that no document can contain a mark. A surface calls
`parts`, and escapes each part for itself.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from enum import Enum
from itertools import chain

from rui_common.json_values import as_object
from rui_common.nodes.naming import noun_of, text_of
from rui_common.syntax.paths import format_path
from rui_common.syntax.spans import Span
from rui_common.versions.elements import Element, text_with_role, texts_with_roles
from rui_common.versions.match import Matching
from rui_common.vocabulary.schema import NodeRole, Role

MAX_NAME = 60  # maximum number of characters of a name or text in a sentence
CONTEXT = 12  # number of equal characters that are left in front of a difference
MAX_SUBJECTS = 3  # maximum number of subjects of a sentence that are named
MAX_WORDS = 200  # maximum number of words that are compared one by one, because that takes quadratic time

_PART = re.compile(r"(\*\*|`|)((?:\\.|[^\\*`])*)\1", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_STEP = re.compile(r"(?=[/.?&])")  # before each step of a path, and each parameter
_SPECIAL = re.compile(r"[\\*`]")
_WORD = re.compile(r"[^\s!-/:-@\[-`{-~]+|[!-~]")
"""Letters with their accents, joined emoji, and digits are one word; a sign of ASCII is a word."""


class Mark(Enum):
    """The form of a part of a sentence."""

    PLAIN = ""
    NAME = "**"
    CODE = "`"


class Verb(Enum):
    """A verb in singular and plural."""

    IS = ("is", "are")
    HAS = ("has", "have")
    READS = ("reads", "read")
    MOVES = ("moves", "move")
    COMES = ("comes", "come")
    SAYS = ("says", "say")
    SAYS_NO_LONGER = ("no longer says", "no longer say")
    OPENS = ("opens", "open")
    SELECTS = ("selects", "select")


def parts(sentence: str) -> Iterator[tuple[Mark, str]]:
    """Yield the parts of a sentence, each with its form."""
    for mark, text in _PART.findall(sentence):
        if text:
            yield Mark(mark), _ESCAPED.sub(r"\1", text)


def capitalized(sentence: str) -> str:
    """Return a sentence or phrase with an upper-case letter at its start."""
    return sentence[:1].upper() + sentence[1:]


def plain(sentence: str) -> str:
    return "".join([text for _, text in parts(sentence)])


def escape(text: str) -> str:
    """Return a text of a document for a sentence; a long one is cut."""
    if len(text) > MAX_NAME:
        text = f"{text[:MAX_NAME].rstrip()}…"
    return _SPECIAL.sub(r"\\\g<0>", text)


def strong(text: str) -> str:
    """Return a text of a document as a name, on one line."""
    return f"**{escape(' '.join(text.split()))}**"


def code(text: str) -> str:
    """Return a text of a document as code."""
    if not text.strip():
        return quoted(text)
    return f"`{escape(text)}`"


def quoted(text: str) -> str:
    """Return a text of a document in quotation marks, on one line."""
    return f"“{escape(' '.join(text.split()))}”"


def ended(sentence: str) -> str:
    """Return a sentence with its full stop. A quotation at its end that has one needs no second one."""
    return sentence if sentence.endswith(".”") else f"{sentence}."


def sentence_of(subjects: Iterable[str], verb: Verb, rest: str) -> str:
    """Return a sentence. Of many subjects, the first ones are named."""
    different = [*dict.fromkeys(subjects)]
    singular, plural = verb.value
    if len(different) == 1:
        return ended(f"{capitalized(different[0])} {singular} {rest}")
    last = different.pop()
    if len(different) > MAX_SUBJECTS:
        last = f"{len(different) + 1 - MAX_SUBJECTS} more"
    return ended(f"{capitalized(', '.join(different[:MAX_SUBJECTS]))} and {last} {plural} {rest}")


def name_of(element: Element) -> str:
    """Return the name of an element in bold: its text, that of the node it refers to, or its own name; or ``""``."""
    if text := text_of(as_object(element.value), element.shape):
        return strong(text) if text_with_role(element, Role.LABEL) else f"**{quoted(text)}**"
    if element.target is not None:
        return name_of(element.target)
    if not element.is_node and element.name and element.name.strip():
        return strong(element.name)
    return ""


def distinct_name_of(element: Element) -> str:
    """Return the name of `name_of`, with the distinction of the element."""
    name = name_of(element)
    if name and element.distinction:
        return f"{name} ({code(element.distinction)})"
    return name


def distinguish(matching: Matching) -> None:
    """Give elements of two versions that have the same phrase a distinction: their names, or else their paths."""
    groups: dict[object, dict[Element, list[Element]]] = defaultdict(lambda: defaultdict(list))
    for element in (*matching.olds, *matching.news):
        container = None
        if not element.is_node and element.parent is not None:
            container = matching.partners.get(element.parent, element.parent)
        groups[container, subject_of(element)][matching.partners.get(element, element)].append(element)
    for namesakes in groups.values():
        if len(namesakes) == 1:
            continue
        names: Counter[str | None] = Counter()
        for versions in namesakes.values():
            names.update({element.name for element in versions})
        for element in chain.from_iterable(namesakes.values()):
            element.distinction = format_path(element.path)
            if element.name and names[element.name] == 1:
                element.distinction = element.name


def word_of(element: Element) -> str:
    """Return what an element is in the words of the vocabulary, such as ``page`` or ``filter option``."""
    shape = element.shape
    if shape is None and not element.is_node:
        shape = next(iter(element.kind.inner_shapes), None)
    if element.parent is None:
        return "document"
    if shape is None:
        return "block"
    return noun_of(shape)


def subject_of(element: Element) -> str:
    """Return a phrase that names an element, such as ``page **Today**`` or ``**Open orders**``."""
    if element.parent is None:
        return "the document"
    name = distinct_name_of(element)
    word = word_of(element)
    if name:
        if not element.is_node or element.shape is None or element.shape.role is not NodeRole.BLOCK:
            name = f"{word} {name}"
        return name
    if not element.distinction:
        for _, _, endpoint in texts_with_roles(element, (Role.ENDPOINT,)):
            return f"the {word} of {code(endpoint)}"
        inner = (name_of(child) for child in element.children[:1] if child.is_node)
        if inner_name := next(filter(None, inner), ""):
            return f"the {word} with {inner_name}"
    if own_name := element.distinction or element.name:
        return f"the {word} {code(own_name)}"
    return f"the {word} at {code(format_path(element.path))}"


def shared_subject_of(element: Element) -> str:
    """Return the phrase of `subject_of` without what tells elements with one name apart; ``""`` without a name."""
    name = name_of(element)
    if name and (not element.is_node or element.shape is None or element.shape.role is not NodeRole.BLOCK):
        return f"{word_of(element)} {name}"
    return name


def full_subject_of(element: Element) -> str:
    """Return the phrase of `subject_of`; for an element that is no node with that of the node around it."""
    if element.is_node or element.parent is None or element.parent.parent is None:
        return subject_of(element)
    return f"{subject_of(element)} of {subject_of(element.parent)}"


def noun_and_name_of(element: Element) -> str:
    """Return what an element is and its name, for one that is no node with those of the node around it."""
    name = name_of(element)
    words = f"{word_of(element)} {name}" if name else subject_of(element)
    if element.is_node or element.parent is None or element.parent.parent is None:
        return words
    return f"{words} of {noun_and_name_of(element.parent)}"


def top_of(element: Element) -> Element:
    """Return the element directly below the root that contains an element, such as its page; or the root itself."""
    while element.parent is not None and element.parent.parent is not None:
        element = element.parent
    return element


def different_texts(old: str, new: str) -> tuple[str, str]:
    """Return two different texts without a long common start, so that they still differ when they are cut."""
    if unicodedata.normalize("NFC", old) == unicodedata.normalize("NFC", new):
        # They look the same.
        old, new = (text.encode("ascii", "backslashreplace").decode() for text in (old, new))
    start = _common_length(old, new)
    if start < MAX_NAME - CONTEXT:
        return old, new
    return f"…{old[start - CONTEXT :]}", f"…{new[start - CONTEXT :]}"


def different_words(old: str, new: str) -> tuple[str, str]:
    """Return the words that differ between two texts, with one equal word before and after them."""
    both = (old.split(), new.split())
    start, end = _equal_ends(*both)
    first = max(start - 1, 0)
    last = max(end - 1, 0)
    return different_texts(*[" ".join(words[first : len(words) - last]) for words in both])


def different_part(old: str, new: str) -> tuple[str, str] | None:
    """Return the parts of two paths that differ, with an ellipsis for the others; None without equal parts."""
    olds, news = ([step for step in _STEP.split(text) if step] for text in (old, new))
    start, end = _equal_ends(olds, news)
    if not start and not end:
        return None
    first = "…" if start else ""
    last = f"{olds[-end][0]}…" if end else ""
    return (
        f"{first}{''.join(olds[start : len(olds) - end])}{last}",
        f"{first}{''.join(news[start : len(news) - end])}{last}",
    )


def replaced_words(old: str, new: str) -> tuple[str, str] | None:
    """Return the words that one text has in place of those of another one; None without equal words."""
    both = (old.split(), new.split())
    start, end = _equal_ends(*both)
    if not start and not end:
        return None
    before, after = (" ".join(words[start : len(words) - end]) for words in both)
    return before, after


def differing_words(old: str, new: str) -> tuple[list[Span], list[Span]]:
    """Return the ranges of the words in both texts that the other one lacks; neighbours are one range.

    White space does not count. A sign is a word, so that a segment of a path differs by itself.
    """
    found = [[*_WORD.finditer(text)] for text in (old, new)]
    olds, news = [[match[0] for match in matches] for matches in found]
    start, end = _equal_ends(olds, news)
    olds = olds[start : len(olds) - end]
    news = news[start : len(news) - end]
    differences = [(0, len(olds), 0, len(news))]
    if max(len(olds), len(news)) <= MAX_WORDS:
        matcher = SequenceMatcher(None, olds, news, autojunk=False)
        differences = [opcode[1:] for opcode in matcher.get_opcodes() if opcode[0] != "equal"]
    ranges: tuple[list[Span], list[Span]] = ([], [])
    for old_start, old_end, new_start, new_end in differences:
        for matches, spans, (first, last) in zip(
            found, ranges, ((old_start, old_end), (new_start, new_end)), strict=True
        ):
            if first < last:
                spans.append(Span(matches[start + first].start(), matches[start + last - 1].end()))
    return ranges


def _equal_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of equal words at the start and at the end of two texts."""
    start = _common_length(old, new)
    return start, _common_length(old[start:][::-1], new[start:][::-1])


def _common_length(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the number of equal items at the start of two sequences."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((index for index, (left, right) in pairs if left != right), min(len(old), len(new)))
