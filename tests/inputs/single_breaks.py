"""Valid texts broken in one place, in every way: a character, token, word or line is deleted, repeated, … or replaced.

`tests/inputs/breaking_text.py` has the mistakes that agents and people make; these are all others.
"""

import random
import re
from collections.abc import Callable

Random = random.Random
Part = tuple[int, int]

_PARTS = {
    "character": re.compile(r".", re.DOTALL),
    "token": re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+'),
    "word": re.compile(r"\w+"),
    "line": re.compile(r"[^\n]*\n|[^\n]+\Z"),
}
_OTHERS = {
    "character": "{}[],:\"'\\ \n\tx1.-/#=;()<>&“”`é\xa0",
    "token": ["True", "None", "NaN", "{", "}", "[", "]", ",", ":", '"x"', "1", "01", "foo", "null"],
    "word": ["true", "undefined", "x", "12"],
    "line": ["\n", "...\n", "// more\n", "},\n", "],\n", '"a": 1\n'],
}
Edit = Callable[[str, Part, Part, str], str]

_EDITS: dict[str, Edit] = {
    "deleted": lambda text, part, _, __: text[: part[0]] + text[part[1] :],
    "repeated": lambda text, part, _, __: text[: part[1]] + text[part[0] :],
    "replaced": lambda text, part, _, other: text[: part[0]] + other + text[part[1] :],
    "inserted": lambda text, part, _, other: text[: part[0]] + other + text[part[0] :],
    "swapped": lambda text, part, following, _: "".join((
        text[: part[0]], text[slice(*following)], text[part[1] : following[0]], text[slice(*part)],
        text[following[1] :],
    )),
}  # fmt: skip
KINDS = [(unit, change) for unit in _PARTS for change in _EDITS]


def break_once(text: str, chance: Random) -> str:
    """Return a text with one break of a random kind."""
    unit, change = chance.choice(KINDS)
    if unit == "line" and "\n" not in text:
        unit = "token"
    parts = [match.span() for match in _PARTS[unit].finditer(text)]
    index = chance.randrange(max(1, len(parts) - 1))
    following = parts[min(index + 1, len(parts) - 1)]
    if following == parts[index] and change == "swapped":
        change = "deleted"
    return _EDITS[change](text, parts[index], following, chance.choice(_OTHERS[unit]))
