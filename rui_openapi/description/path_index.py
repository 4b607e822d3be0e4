"""The path templates of a description: `/orders/7?x=1` → `/orders/{id}`, and the template that a path is meant as."""

import re
from collections import Counter
from collections.abc import Iterable, Set
from typing import NamedTuple

from rui_common.suggest import edit_distance, nearest
from rui_openapi.description.operations import Operation

MAX_LENGTH = 2_000  # characters of a path that is looked up

MAX_COST = 3
"""Distance of a path from the template that it is probably meant as: the sum of the distances of its segments."""

MAX_SIMILAR = 3  # paths with similar words that a hint lists
MAX_COMMON = 2  # a word of more than one in so many paths, such as that of a version, makes no path similar
MIN_PATHS = 8  # minimum number of paths: a word may be in most of fewer ones

_COST_OF_VALUE = 2
_COST_OF_VERSION = 1
_COST_OF_NAME = MAX_COST + 1  # a parameter whose value is a segment of another template: its name has moved
_VERSION = re.compile(r"v[0-9]+([._-]?[a-z0-9]+)*")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")
_NAME = re.compile(r"(?:[^\W\d]|-){4,}")  # a value of a parameter that may be a misspelt name
_PLACEHOLDER = re.compile(r"\{[^{}/]*\}")


class _Segment(NamedTuple):
    """A segment of a template, such as ``orders`` or ``{id}``, and what it accepts; None if it is fixed."""

    text: str
    values: re.Pattern[str] | None

    def accepts(self, value: str) -> bool:
        return value == self.text or (self.values is not None and self.values.fullmatch(value) is not None)

    def cost(self, value: str) -> int:
        """Return how far a value that does not fit is from one that does."""
        if self.values is not None:
            return _COST_OF_VALUE
        if _VERSION.fullmatch(value) and _VERSION.fullmatch(self.text):
            return _COST_OF_VERSION
        if nearest(value, (self.text,)) is not None:
            return max(1, edit_distance(value.lower(), self.text.lower()))
        return MAX_COST + 1


class Match(NamedTuple):
    """What a path leads to: its operation, or the path that is probably meant instead, or paths with similar words."""

    operation: Operation | None = None
    meant: str = ""
    similar: tuple[str, ...] = ()


class _Template(NamedTuple):
    """The segments of a path template, with the base path of a server, and the operation."""

    segments: tuple[_Segment, ...]
    operation: Operation

    def misfits(self, values: list[str]) -> list[int]:
        """Return the indexes of the segments that do not fit."""
        pairs = zip(self.segments, values, strict=False)
        return [index for index, (segment, value) in enumerate(pairs) if not segment.accepts(value)]

    def rank(self, values: list[str]) -> tuple[bool, ...]:
        """Return where the values are those of parameters: of templates that a path fits, the smallest is the best."""
        return tuple(segment.text != value for segment, value in zip(self.segments, values, strict=False))

    def names_in_parameters(self, values: list[str]) -> list[int]:
        """Return where the value of a parameter is a name, which may be a misspelt segment of another template."""
        pairs = enumerate(self.rank(values))
        return [index for index, is_value in pairs if is_value and _NAME.fullmatch(values[index])]

    def distance(self, values: list[str], names: Set[str]) -> int:
        """Return the distance of a path with as many segments. `names` are the fixed segments of all templates."""
        cost = 0
        for segment, value in zip(self.segments, values, strict=False):
            if not segment.accepts(value):
                cost += segment.cost(value)
            elif segment.text != value and value in names:
                cost += _COST_OF_NAME
            if cost > MAX_COST:
                break
        return cost

    def filled(self, values: list[str]) -> str:
        """Return the path with the values that fit, and with the text of the template elsewhere."""
        filled = list(values)
        for index in self.misfits(values):
            filled[index] = self.segments[index].text
        return "/" + "/".join(filled)


class PathIndex:
    """The templates of operations, by their number of segments."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._by_length: dict[int, list[_Template]] = {}
        self._with_rest: list[_Template] = []
        self._names: set[str] = set()  # the fixed segments of all templates
        words: dict[str, set[str]] = {}  # the words of the paths
        for operation in operations:
            words[operation.path] = _words(operation.path)
            for path in operation.templates:
                template = _Template(tuple(map(_segment, _split(path))), operation)
                self._names.update(segment.text for segment in template.segments if segment.values is None)
                self._by_length.setdefault(len(template.segments), []).append(template)
                if operation.takes_rest:
                    self._with_rest.append(template)
        numbers = Counter(word for path_words in words.values() for word in path_words)
        common = {word for word, number in numbers.items() if number * MAX_COMMON > max(len(words), MIN_PATHS)}
        self._words = {path: path_words - common for path, path_words in words.items()}

    def find(self, path: str) -> Match:
        """Return what the path of a binding leads to."""
        if not path.startswith("/") or len(path) > MAX_LENGTH:
            return Match()
        values = _split(path)
        templates = self._by_length.get(len(values), [])
        longer = [template for template in self._with_rest if len(template.segments) < len(values)]
        fitting = [template for template in (*templates, *longer) if not template.misfits(values)]
        if not fitting:
            return Match(None, _closest(templates, values, self._names), self._similar(_words(path_only(path))))
        best = min(fitting, key=lambda template: template.rank(values))
        words = best.names_in_parameters(values)
        for other in templates if words else ():
            wrong = other.misfits(values)
            if len(wrong) == 1 and wrong[0] in words and other.distance(values, self._names) == 1:
                return Match(meant=other.filled(values))
        return Match(best.operation)

    def _similar(self, words: set[str]) -> tuple[str, ...]:
        """Return the paths that have most of the words."""
        scored = sorted((-len(words & path_words), len(path), path) for path, path_words in self._words.items())
        return tuple(path for score, _, path in scored[:MAX_SIMILAR] if score)


def _words(path: str) -> set[str]:
    return {word.lower().removesuffix("s") for word in _WORD.findall(path)}


def _closest(templates: list[_Template], values: list[str], names: Set[str]) -> str:
    """Return the path that one without a template is probably a misspelling of, or ``""``.

    Values of parameters stay as they are; one that does not fit is written as in the template.
    """
    distances = ((template.distance(values, names), template) for template in templates)
    ranked = sorted({(distance, template.filled(values)) for distance, template in distances if distance <= MAX_COST})
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return ""
    return ranked[0][1]


def path_only(path: str) -> str:
    """Return a path without its query and fragment."""
    return path.partition("#")[0].partition("?")[0]


def _split(path: str) -> list[str]:
    return path_only(path).removeprefix("/").split("/")


def _segment(text: str) -> _Segment:
    if not _PLACEHOLDER.search(text):
        return _Segment(text, None)
    first, *_, last = map(re.escape, _PLACEHOLDER.split(text))
    return _Segment(text, re.compile(f"{first}[^/]+{last}"))  # text between two placeholders could match in many ways
