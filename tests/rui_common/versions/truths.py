"""Pairs of versions with the sentences about them, read from truths.txt."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rui_common.syntax.paths import parse_path, value_at
from tests.support.strategies import Json

FOLDER = Path(__file__).parent

CLINIC = json.loads((FOLDER / "clinic.rui.json").read_text(encoding="utf-8"))


class Truth(NamedTuple):
    """A pair of versions with the sentences about it, in both directions."""

    name: str
    old: Json
    new: Json
    forth: list[str]
    back: list[str]


def truths() -> Iterator[Truth]:
    for part in (FOLDER / "truths.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        name, *lines = part.strip().split("\n")
        old = CLINIC
        new = copy.deepcopy(CLINIC)
        sentences: dict[str, list[str]] = {">": [], "<": []}
        for line in lines:
            command, _, rest = line.partition(" ")
            if command in sentences:
                sentences[command] += [rest] if rest else []
            elif command == "from-here":
                old = copy.deepcopy(new)
            elif command == "from":
                old = json.loads(rest)
            elif command == "to":
                new = json.loads(rest)
            else:
                new = edited(new, command, rest)
        yield Truth(name, old, new, sentences[">"], sentences["<"])


def edited(document: Json, command: str, rest: str) -> Json:
    name, _, value = rest.partition(" ")
    if command == "rename":
        return json.loads(json.dumps(document).replace(f'"{name}"', f'"{value}"'))
    *steps, last = parse_path(name)
    owner = value_at(document, tuple(steps))
    if command == "set":
        owner[last] = json.loads(value)
    elif command == "insert":
        owner.insert(last, json.loads(value))
    elif command in ("remove", "move"):
        element = owner.pop(last)
        if command == "move":
            *steps, last = parse_path(value)
            value_at(document, tuple(steps)).insert(last, element)
    else:
        raise ValueError(command)
    return document


TRUTHS = [*truths()]
