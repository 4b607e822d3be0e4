"""Does a RUI do what a task asks for?

A task names patterns of nodes. A pattern is found when some node has all of it: of an object every property, of a list
every element in some element, of `{"contains": …}` a text with these letters, of null nothing at all. Besides, every
binding has to lead somewhere in the API of the task, to the sort of value that its block can show.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rui_common.syntax.paths import format_path
from rui_common.validation.run import validate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.paths import Path as JsonPath
    from rui_common.validation.findings import Finding

MOST_FAULTS = 10
"""Faults of an invalid RUI that are shown."""
TASKS = Path(__file__).parent / "tasks"
Json = Any


@dataclass(frozen=True)
class Task:
    """What an agent is asked for.

    Attributes:
        prompt: in the words of a person.
        api: what the endpoints of the app's own API answer, by path.
        pages: how many pages there have to be.
        navigation: the titles of the pages in the order of the navigation, or nothing.
        must: what there has to be, each with the pattern of a node.
    """

    prompt: str
    api: dict[str, Json]
    pages: int
    must: list[dict[str, Json]]
    navigation: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """What was asked for and whether it is there, in order."""

    checks: list[tuple[str, bool]]

    @property
    def share(self) -> float:
        """The share of what is there."""
        return sum(passed for _, passed in self.checks) / len(self.checks)

    @property
    def is_perfect(self) -> bool:
        """Whether everything is there."""
        return all(passed for _, passed in self.checks)

    def text(self) -> str:
        """It, one line a check, with the share at the end."""
        lines = [f"{'yes' if passed else 'NO ':<4}{what}" for what, passed in self.checks]
        return "\n".join([*lines, f"{self.share:.0%}"])


def task_names() -> list[str]:
    """The names of all tasks."""
    return sorted(path.stem for path in TASKS.glob("*.json"))


def task(name: str) -> Task:
    """A task by its name."""
    return Task(**json.loads((TASKS / f"{name}.json").read_text(encoding="utf-8")))


def score(wanted: Task, rui: Json) -> Report:
    """Everything that a task asks of a RUI; of one that is not valid, that alone."""
    if not isinstance(rui, dict):
        return Report([("it is a valid RUI: it is no JSON object at all", False)])
    faults = list(validate(rui))
    if faults:
        return Report([(f"it is a valid RUI: {_told(fault)}", False) for fault in faults[:MOST_FAULTS]])
    checks = [("it is a valid RUI", True)]
    pages = len(rui["pages"])
    has = "" if pages == wanted.pages else f"; it has {pages}"
    checks.append((f"pages: {wanted.pages}{has}", pages == wanted.pages))
    if wanted.navigation:
        titles = {page["id"]: page["title"] for page in rui["pages"]}
        opened = [titles[item["pageId"]] for item in rui["navigation"]["items"]]
        opens = "" if opened == wanted.navigation else f"; it opens {', '.join(opened)}"
        checks.append((f"the navigation opens {', '.join(wanted.navigation)}{opens}", not opens))
    nodes = [value for _, value in objects(rui)]
    checks += [(one["what"], any(matches(one["node"], node) for node in nodes)) for one in wanted.must]
    checks += list(_bindings(wanted, rui))
    return Report(checks)


def objects(value: Json, path: JsonPath = ()) -> Iterator[tuple[JsonPath, dict[str, Json]]]:
    """Every object in a value, with its path."""
    if isinstance(value, dict):
        yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in parts:
        yield from objects(inner, (*path, step))


def matches(pattern: Json, value: Json) -> bool:
    """Whether a value has all of a pattern."""
    if isinstance(pattern, dict) and pattern.keys() == {"contains"}:
        return isinstance(value, str) and pattern["contains"].lower() in value.lower()
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(matches(part, value.get(name)) for name, part in pattern.items())
    if isinstance(pattern, list):
        return isinstance(value, list) and all(any(matches(part, one) for one in value) for part in pattern)
    return bool(pattern == value)


def _bindings(wanted: Task, rui: Json) -> Iterator[tuple[str, bool]]:
    """Every block with a binding: what it shows is in the API, with the columns of its rows."""
    for path, node in objects(rui["pages"], ("pages",)):
        binding = node.get("binding")
        if not isinstance(binding, dict):
            continue
        shown = _at(wanted.api.get(binding["path"].partition("?")[0]), binding.get("valuePath"))
        columns = [column["key"] for column in node["columns"]] if "columns" in node else None
        sort = "one value" if columns is None else "rows with these columns"
        where = f"{binding['path']} → {binding.get('valuePath', 'all of it')}"
        wrong = _what_is_wrong(shown, columns)
        yield f"{format_path(path)} shows {sort}: {where}{wrong and f'; {wrong}'}", not wrong


def _what_is_wrong(shown: Json, columns: list[str] | None) -> str:
    """Why a block cannot show what its binding leads to, or ``""``."""
    if shown is None:
        return "there is nothing in the API"
    if columns is None:
        return "" if isinstance(shown, str | int | float) else f"there is {_sort(shown)}"
    if not isinstance(shown, list) or not shown:
        return f"there is {_sort(shown)}"
    absent = [key for key in columns if key not in shown[0]]
    return f"the rows have no {', '.join(absent)}" if absent else ""


def _sort(value: Json) -> str:
    if isinstance(value, dict):
        return f"an object with {', '.join(value)}"
    return "a list" if isinstance(value, list) else "one value"


def _told(fault: Finding) -> str:
    return f"{fault.code} at {format_path(fault.path) or 'the root'}. {fault.message()}"


def _at(value: Json, value_path: str | None) -> Json:
    """What a dotted path leads to, or None."""
    for name in value_path.split(".") if value_path else ():
        value = value.get(name) if isinstance(value, dict) else None
    return value
