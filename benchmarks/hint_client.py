"""A client without a vocabulary: it fixes documents only by following the hints of responses, literally.

For every item of `errors[]` it looks for an instruction that it knows (`INSTRUCTIONS`, in this order) and carries it
out; it ignores other hints. Items of inner values come first, so that the paths of the others stay valid. A response
with status 400 is followed by `benchmarks/fixing_text.py`.

A hint misleads if the same fault is reported again after the client followed it, or if a fault is reported in a
value that the hint gave.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path as File
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.breaking import Path, at, exists
from benchmarks.fixing_text import fix_text
from rui_common.syntax.paths import parse_path
from rui_common.vocabulary.rules import RULES

Json = Any
Item = dict[str, str]
"""One item of `errors[]`."""
Post = Callable[[str], Json]
"""Sends the text of a document to the validation endpoint; returns the response."""

NO_JSON = RULES["R0"].code
MAX_ROUNDS = 5
"""Guideline in section 8 of the specification; documents that need more rounds count as not fixed."""


class Followed(NamedTuple):
    """A hint that the client followed.

    Attributes:
        item: the item of `errors[]` that contains it.
        given: the path at which the client wrote a value from the hint, or None.
    """

    item: Item
    given: Path | None


class Misled(NamedTuple):
    """A followed hint and the fault after it."""

    item: Item
    fault: Item


class Session(NamedTuple):
    """What happened until a document was valid.

    Attributes:
        rounds: the number of rounds, `MAX_ROUNDS` + 1 if the document did not become valid.
        answers: the errors of each round.
        texts: the text that was sent in each round, and the last one.
        misled: the hints that misled the client.
    """

    rounds: int
    answers: list[list[Item]]
    texts: list[str]
    misled: list[Misled]


# Instructions --------------------------------------------------------------------------------------------------------


class _Followable(NamedTuple):
    """What an instruction is applied to."""

    document: Json
    path: Path
    item: Item

    @property
    def is_unknown(self) -> bool:
        return self.item["message"].startswith("Unknown property")


Instruction = Callable[[_Followable, re.Match[str]], Path | None]
"""Carries out an instruction; returns the path at which it wrote a value from the hint, or None."""


def json_at(text: str) -> Json:
    """Return the JSON value at the start of a text; an ellipsis in brackets is read as an empty list.

    A property (``"name": value``) is read as its value. Raises ValueError if there is no value.
    """
    text = text.replace("[…]", "[]", 1)
    value, end = json.JSONDecoder().raw_decode(text)
    if isinstance(value, str) and text[end : end + 2] == ": ":
        value, end = json.JSONDecoder().raw_decode(text, end + 2)
    return value


def wait(_: _Followable, __: re.Match[str]) -> Path | None:
    """Do nothing: another path is to be fixed first."""
    return None


def append(at_item: _Followable, match: re.Match[str]) -> Path | None:
    path = parse_path(match[2])
    if not exists(at_item.document, path):
        return None
    elements = at(at_item.document, path)
    elements.append(json.loads(match[1]))
    return (*path, len(elements) - 1)


def take_out(at_item: _Followable, match: re.Match[str]) -> Path | None:
    """Replace the root, the only object that this hint is given for; its other properties are dropped."""
    document = at_item.document
    inner = document.get(json.loads(match[2]))
    if match[1] != "value" and isinstance(inner, str):
        inner = json.loads(inner)
    if isinstance(inner, dict):
        document.clear()
        document.update(inner)
    return None


def unwrap(at_item: _Followable, match: re.Match[str]) -> Path | None:
    place = at(at_item.document, at_item.path[:-1])
    index = at_item.path[-1]
    inner = place[index].get(match["list"])
    place[index : index + 1] = inner if isinstance(inner, list) else []
    return None


def dissolve(at_item: _Followable, match: re.Match[str]) -> Path | None:
    """Replace an element of a list by the elements of one of its properties.

    All of these elements have the same hint; the one of the first is followed.
    """
    path = parse_path(match["path"])
    if at_item.path[-1] == 0:
        unwrap(at_item._replace(path=path), match)
    return None


def put_into(at_item: _Followable, match: re.Match[str]) -> Path | None:
    return _restructure(at_item, lambda value: {json.loads(match[1]): value})


def put_in_list(at_item: _Followable, _: re.Match[str]) -> Path | None:
    return _restructure(at_item, lambda value: [value])


def take_element(at_item: _Followable, _: re.Match[str]) -> Path | None:
    return _restructure(at_item, lambda value: value[0])


def take_value(at_item: _Followable, match: re.Match[str]) -> Path | None:
    return _restructure(at_item, lambda value: value[json.loads(match[1])])


def list_by_key(at_item: _Followable, match: re.Match[str]) -> Path | None:
    """Write a list of objects, each with its key as a property that it may have already."""
    name = json.loads(match[1])
    return _restructure(at_item, lambda value: [{name: key, **element} for key, element in value.items()])


def _restructure(at_item: _Followable, change: Callable[[Json], Json]) -> None:
    write(at_item, change(at(at_item.document, at_item.path)))


def dissolve_object(at_item: _Followable, match: re.Match[str]) -> Path | None:
    """Replace a property by the properties of its value; those that the object around it has itself are dropped."""
    name = json.loads(match[1])
    place = at(at_item.document, at_item.path[:-1])
    inner = place.get(name)
    if isinstance(inner, dict):
        members = list(place.items())
        place.clear()
        for key, value in members:
            place.update(
                {key: value} if key != name else {one: inner[one] for one in inner if one not in dict(members)}
            )
    return None


def wrap(at_item: _Followable, match: re.Match[str]) -> Path | None:
    node = json_at(match[1])
    holds = next(name for name, value in node.items() if value == [])
    write(at_item, node | {holds: [at(at_item.document, at_item.path)]})
    return None


def rename(at_item: _Followable, match: re.Match[str]) -> Path | None:
    """Give a property another name, at its place among the others."""
    old, new = json.loads(match[1]), json.loads(match[2])
    return _rename(at_item, old, new)


def _rename(at_item: _Followable, old: str | int, new: str) -> None:
    place = at(at_item.document, at_item.path[:-1])
    if not isinstance(place, dict) or old not in place:
        return
    members = list(place.items())
    place.clear()
    for name, value in members:
        if name == old:
            place.setdefault(new, value)
        else:
            place[name] = value


def replace(at_item: _Followable, match: re.Match[str]) -> Path | None:
    return write(at_item, json_at(match[1]))


def take_suggestion(at_item: _Followable, match: re.Match[str]) -> Path | None:
    suggestion = json_at(match[1])
    if at_item.is_unknown:
        return _rename(at_item, at_item.path[-1], suggestion)
    return write(at_item, suggestion)


def remove(at_item: _Followable, _: re.Match[str]) -> Path | None:
    if at_item.is_unknown and exists(at_item.document, at_item.path):
        del at(at_item.document, at_item.path[:-1])[at_item.path[-1]]
    return None


def write(at_item: _Followable, value: Json) -> Path | None:
    place = at(at_item.document, at_item.path[:-1])
    step = at_item.path[-1]
    if isinstance(place, list) and not (isinstance(step, int) and step < len(place)):
        return None
    if isinstance(place, dict | list):
        place[step] = value
        return at_item.path
    return None


_DISSOLVE = re.compile(r"Replace (?!it )(?P<path>\S+) by its `(?P<list>\w+)`")

INSTRUCTIONS: dict[re.Pattern[str], Instruction] = {
    re.compile(r" first\.(?:$| Got )"): wait,
    re.compile(r"Add (\{.*\}) to ([^ ]+)\.(?: |$)"): append,
    re.compile(r'put the (value|object that is the text) of ("(?:[^"\\]|\\.)*")'): take_out,
    re.compile(r"Replace it by its `(?P<list>\w+)`"): unwrap,
    _DISSOLVE: dissolve,
    re.compile(r"Wrap it: (.*)"): wrap,
    re.compile(r'Put the array into ("\w+")'): put_into,
    re.compile(r'Replace ("(?:[^"\\]|\\.)*") by the properties in it'): dissolve_object,
    re.compile(r"Put it into an array"): put_in_list,
    re.compile(r"Replace the array by its only element"): take_element,
    re.compile(r'Replace the object by its ("(?:[^"\\]|\\.)*")'): take_value,
    re.compile(r'Write its objects as an array, each with its key as ("\w+")'): list_by_key,
    re.compile(r'Rename ("(?:[^"\\]|\\.)*") to ("(?:[^"\\]|\\.)*")'): rename,
    re.compile(r"Write (.+?) instead of "): replace,
    re.compile(r"did you mean (.*)"): take_suggestion,
    re.compile(r"Remove "): remove,
    re.compile(r"For example (.*)"): replace,
    re.compile(r"Allowed: (.*)"): replace,
}
"""Instructions by their words, in order of priority. Of allowed values the client takes the first."""


def follow(document: Json, item: Item) -> Followed | None:
    """Follow the hint of one item of `errors[]`; return None if it contains no instruction for this document."""
    path = parse_path(item["path"])
    if path and not exists(document, path[:-1]):
        return None
    followed = _follow_at_path(document, path, item)
    is_changed = _follow_elsewhere(document, item["hint"])
    return followed or (Followed(item, None) if is_changed else None)


def _follow_at_path(document: Json, path: Path, item: Item) -> Followed | None:
    for pattern, instruction in INSTRUCTIONS.items():
        match = pattern.search(item["hint"])
        if match is None or (instruction is remove and not item["message"].startswith("Unknown property")):
            continue
        if instruction is wait:
            return None
        return _carry_out(_Followable(document, path, item), instruction, match)
    return None


_SET = re.compile(r'(?:^Set|Then set) ([^"`]+) to ("(?:[^"\\]|\\.)*")')
_ADD = re.compile(r"(?:Then|and) add (\{[^{}]*\}) to ([^ ]+)\.")


def _follow_elsewhere(document: Json, hint: str) -> bool:
    """Follow the part of a hint that names other paths; return whether there is one."""
    match = _SET.search(hint)
    if match is not None:
        for text in match[1].split(" and "):
            path = parse_path(text)
            if exists(document, path[:-1]):
                at(document, path[:-1])[path[-1]] = json.loads(match[2])
    addition = _ADD.search(hint)
    if addition is not None and exists(document, parse_path(addition[2])):
        at(document, parse_path(addition[2])).append(json.loads(addition[1]))
    return match is not None or addition is not None


def _carry_out(at_item: _Followable, instruction: Instruction, match: re.Match[str]) -> Followed | None:
    try:
        given = instruction(at_item, match)
    except (ValueError, LookupError, AttributeError, TypeError, StopIteration):
        return None
    return Followed(at_item.item, given)


# Rounds --------------------------------------------------------------------------------------------------------------


def fix(document: Json, errors: list[Item]) -> list[Followed]:
    """Follow the hints of one round, so that the paths of the others stay valid; return those that were followed.

    Inner values come first, values before their names, later ones first.
    """
    in_order = errors[::-1]
    in_order.sort(key=lambda item: (-_depth(item), "Rename " in item["hint"]))
    followed = [follow(document, item) for item in in_order]
    return [one for one in followed if one is not None]


def _depth(item: Item) -> int:
    """Return the length of the path that following a hint changes."""
    dissolved = _DISSOLVE.search(item["hint"])
    return len(parse_path(dissolved["path"] if dissolved else item["path"]))


def fixed_text(text: str, errors: list[Item]) -> tuple[str, list[Followed]]:
    """Return the text after one round: with syntax errors fixed, or else with the hints followed."""
    if errors[0]["code"] == NO_JSON:
        return fix_text(text, errors[0]["hint"]), []
    document = json.loads(text.removeprefix("\ufeff"))
    followed = fix(document, errors)
    return json.dumps(document, ensure_ascii=False), followed


def misleading(followed: list[Followed], before: list[Item], after: list[Item]) -> list[Misled]:
    """Return the followed hints of a round that left their fault or caused another one.

    Args:
        followed: the hints.
        before: the errors of the round.
        after: the errors of the next response.
    """
    known = {(item["path"], item["code"]) for item in before}
    misled = []
    for item, given in followed:
        for fault in after:
            place = (fault["path"], fault["code"])
            is_same = place == (item["path"], item["code"])
            is_in_value = given is not None and parse_path(fault["path"])[: len(given)] == given
            if is_same or (is_in_value and place not in known):
                misled.append(Misled(item, fault))
                break
    return misled


def rounds(post: Post, text: str) -> Session:
    """Send a text and follow the hints until it is valid, for at most `MAX_ROUNDS` rounds."""
    answers: list[list[Item]] = []
    texts = [text]
    misled: list[Misled] = []
    followed: list[Followed] = []
    for number in range(MAX_ROUNDS + 1):
        response = post(texts[-1])
        errors = [] if response["valid"] else response["errors"]
        if answers:
            misled += misleading(followed, answers[-1], errors)
        if response["valid"]:
            return Session(number, answers, texts, misled)
        answers.append(errors)
        if number < MAX_ROUNDS:
            text, followed = fixed_text(texts[-1], errors)
            texts.append(text)
    return Session(MAX_ROUNDS + 1, answers, texts, misled)


@contextmanager
def service() -> Iterator[Post]:
    """Run the service with a store of its own, and return a function that sends a text to its validation endpoint."""
    from rui_api.app import create_app  # noqa: PLC0415  not for tests that import the client
    from rui_api.config.options import Settings  # noqa: PLC0415
    from tests.rui_api.live import running  # noqa: PLC0415

    with TemporaryDirectory() as folder:
        store = f"sqlite:///{File(folder) / 'rui.db'}"
        with running(create_app(Settings(store=store))) as running_service:
            connection = HTTPConnection("127.0.0.1", running_service.port)

            def post(text: str) -> Json:
                headers = {"Content-Type": "application/json"}
                connection.request("POST", "/api/validate", text.encode(), headers)
                return json.loads(connection.getresponse().read())

            yield post
            connection.close()
