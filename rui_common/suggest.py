"""Did you mean …? Find the closest match for a misspelt name."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import count, islice

MAX_NAMES = 1_000  # maximum number of names that are compared
MAX_LENGTH = 64  # maximum length of a name that is compared
MAX_TITLE = 256  # maximum length of a text that an id is made of; bounds the time
MAX_WORK = 200_000  # maximum number of letters and letter pairs that are compared for one answer; bounds the time
MAX_STEM = 60  # maximum length of a name before a number is appended
_NUMBER = re.compile(r"-?[0-9]+\Z")
_WORD_OF_NAME = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])")
_MIN_RATIO = 0.72
_MIN_RATIO_OF_SHORT = 0.66  # the ratio of names of three letters, of which one is wrong


class SearchBudget:
    """The number of letters and letter pairs that the searches for one answer may still compare."""

    def __init__(self, work: int = MAX_WORK) -> None:
        self.left = work


def nearest(word: str, names: Iterable[str], budget: SearchBudget | None = None) -> str | None:
    """Return the one of `names` that `word` is probably a misspelling of, or None.

    Case is ignored. The name must be more similar to `word` than every other, and have the same digits: ``page-9`` is
    no misspelling of ``page-1``. Of names of several words, each word must be similar: ``first_name`` is no misspelling
    of ``last_name``. The `budget` is that of all searches for one answer.
    """
    wanted = word.lower()
    if len(wanted) > MAX_LENGTH:
        return None
    best = None
    best_ratio = _MIN_RATIO if len(wanted) > 3 else _MIN_RATIO_OF_SHORT
    is_unique = True
    budget = budget or SearchBudget()
    matcher = SequenceMatcher(b=wanted, autojunk=False)
    for name in islice(names, MAX_NAMES):
        budget.left -= len(name)
        if budget.left < 0:
            break
        matcher.set_seq1(name.lower())
        if len(name) > MAX_LENGTH or matcher.real_quick_ratio() < best_ratio or matcher.quick_ratio() < best_ratio:
            continue
        budget.left -= len(name) * len(wanted)
        ratio = matcher.ratio()
        if ratio > best_ratio or (best is None and ratio == best_ratio):
            best = name
            best_ratio = ratio
            is_unique = True
        elif ratio == best_ratio and name != best:
            is_unique = False
    if best is None or not is_unique or _digits(best) != _digits(word) or _has_another_word(word, best):
        return None
    return best


def _has_another_word(first: str, second: str) -> bool:
    """Return whether two names of as many words have different words at one place."""
    pairs = [*zip(_WORD_OF_NAME.findall(first), _WORD_OF_NAME.findall(second), strict=False)]
    is_comparable = len(pairs) > 1 and len(_WORD_OF_NAME.findall(first)) == len(_WORD_OF_NAME.findall(second))
    return is_comparable and any(not _is_similar(left.lower(), right.lower()) for left, right in pairs)


def _is_similar(first: str, second: str) -> bool:
    length = min(len(first), len(second))
    if length < 3:
        return True  # one wrong letter is half of it
    least = _MIN_RATIO if length > 3 else _MIN_RATIO_OF_SHORT
    return first == second or SequenceMatcher(None, first, second, autojunk=False).ratio() >= least


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return `` (did you mean …?)`` with the closest name, or ``""`` if none is close."""
    name = nearest(word, names)
    if name is None:
        return ""
    return f" (did you mean {name}?)"


def edit_distance(a: str, b: str) -> int:
    """Return about how many letters differ: removed, added, replaced or moved. At 0 and 1 it is exact."""
    common = sum(block.size for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks())
    return max(abs(len(a) - len(b)), (len(a) + len(b) - 2 * common + 1) // 2)


def squash(word: str) -> str:
    """Return a word in lower case without separators: ``data_source``, ``dataSource`` → ``datasource``."""
    return word.replace("_", "").replace("-", "").lower()


def kebab_case(text: str) -> str:
    """Return `text` as a lowercase kebab-case id; ``""`` if that has not all of its letters and digits.

    Accents are dropped.

    >>> kebab_case("Order_Total 2")
    'order-total-2'
    """
    if len(text) > MAX_TITLE:
        return ""
    words = "".join(mark for mark in unicodedata.normalize("NFKD", text) if not unicodedata.combining(mark))
    if not words.islower():
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", words)
    name = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    is_complete = _count_alnum(name) == _count_alnum(words)
    if is_complete and len(name) <= MAX_LENGTH and name[:1].isalpha():
        return name
    return ""


def _count_alnum(text: str) -> int:
    return sum(mark.isalnum() for mark in text)


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())


def numbered(like: str, start: int = 2) -> Iterator[str]:
    """Return the name with each number from `start` on: ``note-2``, ``note-3``."""
    stem = stem_of(like)
    return (f"{stem}-{number}" for number in count(start))


def stem_of(name: str) -> str:
    """Return a name without its number, cut so that there is room for another one."""
    return _NUMBER.sub("", name)[:MAX_STEM] or name


def number_of(name: str) -> int:
    """Return the number at the end of a name that `numbered` continues; 1 if it has none, or one above 999."""
    number = name[len(_NUMBER.sub("", name)) :].lstrip("-0")
    return int(number) if 0 < len(number) < 4 else 1
