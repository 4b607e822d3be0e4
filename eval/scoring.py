"""Score a RUI against a task.

A task lists patterns of nodes. A node matches a pattern if it has every property of it. A list matches if every element
of the pattern matches some element; ``{"contains": …}`` matches a text with these words; null matches an absent
property. In addition, every binding has to select a value in the API of the task that its block can show.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rui_common.syntax.paths import format_path
from rui_common.validation.analysis import validate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.paths import Path as JsonPath

MAX_ERRORS = 10
"""Maximum number of errors of an invalid RUI in a report."""
TASKS = Path(__file__).parent / "tasks"
Json = Any


@dataclass(frozen=True)
class Task:
    """A task for an agent.

    Attributes:
        prompt: the task, in the words of a user.
        domain: words of the app's field, which no text that agents can read has.
        api: path → response of the app's own API.
        pages: the number of pages.
        must: the required nodes, each with a description (``what``) and a pattern (``node``).
        navigation: the titles of the pages in the order of the navigation; empty allows any.
        start: the stored RUI that the task edits; None for a task that creates one.
        changes: the ids of nodes in `start` that the task changes or removes.
    """

    prompt: str
    domain: list[str]
    api: dict[str, Json]
    pages: int
    must: list[dict[str, Json]]
    navigation: list[str] = field(default_factory=list)
    start: dict[str, Json] | None = None
    changes: list[str] = field(default_factory=list)


class Check(NamedTuple):
    """A check and its result."""

    description: str
    passed: bool


@dataclass(frozen=True)
class Report:
    """The results of all checks."""

    checks: list[Check]

    @property
    def share(self) -> float:
        """The share of checks that passed."""
        return sum(check.passed for check in self.checks) / len(self.checks)

    @property
    def is_perfect(self) -> bool:
        """Whether all checks passed."""
        return all(check.passed for check in self.checks)

    def text(self) -> str:
        """Return one line a check, and the share."""
        lines = [f"{'yes' if check.passed else 'NO ':<4}{check.description}" for check in self.checks]
        return "\n".join([*lines, f"{self.share:.0%}"])


def task_names() -> list[str]:
    """Return the names of all tasks."""
    return sorted(path.stem for path in TASKS.glob("*.json"))


def load_task(name: str) -> Task:
    """Return a task by its name."""
    return Task(**json.loads((TASKS / f"{name}.json").read_text(encoding="utf-8")))


def score(task: Task, rui: Json) -> Report:
    """Check a RUI; an invalid one is checked for validity only."""
    if not isinstance(rui, dict):
        return Report([Check("it is a valid RUI: it is no JSON object at all", False)])
    errors = []
    for finding in validate(rui, limit=MAX_ERRORS).findings:
        error = f"{finding.code} at {format_path(finding.path) or 'the root'}. {finding.message}"
        errors.append(Check(f"it is a valid RUI: {error}", False))
    if errors:
        return Report(errors)
    checks = [Check("it is a valid RUI", True), _check_pages(task, rui)]
    if task.navigation:
        checks.append(_check_navigation(task, rui))
    nodes = [value for _, value in objects(rui)]
    for required in task.must:
        is_found = any(matches(required["node"], node) for node in nodes)
        checks.append(Check(required["what"], is_found))
    if task.start is not None:
        checks.append(_check_kept(task.start, task.changes, rui))
    return Report([*checks, *_check_bindings(task, rui)])


def objects(value: Json, path: JsonPath = ()) -> Iterator[tuple[JsonPath, dict[str, Json]]]:
    """Yield every object in a value, with its path."""
    if isinstance(value, dict):
        yield path, value
        for name, inner in value.items():
            yield from objects(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from objects(inner, (*path, index))


def matches(pattern: Json, value: Json) -> bool:
    """Return whether a value matches a pattern."""
    if isinstance(pattern, dict) and pattern.keys() == {"contains"}:
        return isinstance(value, str) and pattern["contains"].lower() in value.lower()
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(matches(part, value.get(name)) for name, part in pattern.items())
    if isinstance(pattern, list):
        return isinstance(value, list) and all(any(matches(part, element) for element in value) for part in pattern)
    return bool(pattern == value)


def _check_pages(task: Task, rui: Json) -> Check:
    count = len(rui["pages"])
    if count == task.pages:
        return Check(f"pages: {task.pages}", True)
    return Check(f"pages: {task.pages}; it has {count}", False)


def _check_navigation(task: Task, rui: Json) -> Check:
    titles = {page["id"]: page["title"] for page in rui["pages"]}
    navigation = [titles[item["pageId"]] for item in rui["navigation"]["items"]]
    description = f"the navigation opens {', '.join(task.navigation)}"
    if navigation == task.navigation:
        return Check(description, True)
    return Check(f"{description}; it opens {', '.join(navigation)}", False)


def _check_kept(start: Json, changes: list[str], rui: Json) -> Check:
    """Check that the nodes of a stored RUI are as before, but for those that the task changes."""
    before = _own_properties(start)
    after = _own_properties(rui)
    lost = [name for name, node in before.items() if name not in changes and after.get(name) != node]
    description = "the other nodes are as before"
    if lost:
        description += f"; {', '.join(lost)} differs or is absent"
    return Check(description, not lost)


def _own_properties(rui: Json) -> dict[str, Json]:
    """Return the nodes of a RUI by id, without their children."""
    nodes = (node for _, node in objects(rui["pages"], ("pages",)) if "id" in node)
    return {node["id"]: {name: value for name, value in node.items() if name != "children"} for node in nodes}


def _check_bindings(task: Task, rui: Json) -> Iterator[Check]:
    """Yield a check for every block with a binding: the value is in the API, with the columns of the block."""
    for path, node in objects(rui["pages"], ("pages",)):
        binding = node.get("binding")
        if not isinstance(binding, dict):
            continue
        columns = None
        expected = "one value"
        if "columns" in node:
            columns = [column["key"] for column in node["columns"]]
            expected = "rows with these columns"
        response = task.api.get(binding["path"].partition("?")[0])
        problem = _binding_problem(_select(response, binding.get("valuePath")), columns)
        source = f"{binding['path']} → {binding.get('valuePath', 'all of it')}"
        description = f"{format_path(path)} shows {expected}: {source}"
        if problem:
            description += f"; {problem}"
        yield Check(description, not problem)


def _binding_problem(value: Json, columns: list[str] | None) -> str:
    """Return why a block cannot show the value of its binding, or ``""``."""
    if value is None:
        return "there is nothing in the API"
    if columns is None:
        return "" if isinstance(value, str | int | float) else f"there is {_describe(value)}"
    if not isinstance(value, list) or not value:
        return f"there is {_describe(value)}"
    absent = [key for key in columns if key not in value[0]]
    return f"the rows have no {', '.join(absent)}" if absent else ""


def _describe(value: Json) -> str:
    if isinstance(value, dict):
        return f"an object with {', '.join(value)}"
    if isinstance(value, list):
        return "a list"
    return "one value"


def _select(value: Json, value_path: str | None) -> Json:
    """Return the value at a dotted path, or None."""
    if not value_path:
        return value
    for name in value_path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value
