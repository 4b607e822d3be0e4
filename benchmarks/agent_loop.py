"""Measure whether hints suffice: a client without a vocabulary fixes documents by following the hints of responses.

For every item of `errors[]` the client follows the hint, then sends the document again. It understands nine phrases:
… first (the item waits), Add … to PATH, put the value of … in the place of the object around it, Put its `…` in its
place, Wrap it: …, did you mean …, For example …, Remove, and Allowed: … (it takes the first value). Any other hint is
ignored. Syntax errors are fixed by `benchmarks/fixing_text.py`, which follows the hint of the 400.

The benchmark prints the rounds until the service accepts the document: by code for documents with one error and with
several, by kind of change for documents with syntax errors; and the share of documents that needed one round.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path as File
from typing import Any

from benchmarks.breaking import BREAKS, Path, at, broken, exists
from benchmarks.breaking_text import LOSING, TEXT_BREAKS
from benchmarks.fixing_text import fix_text
from benchmarks.sample import sample, sample_text
from rui_common.syntax.paths import parse_path
from rui_common.vocabulary.rules import RULES

Json = Any
Post = Callable[[str], Json]
"""Sends the text of a document to the validation endpoint; returns the response."""
Counts = dict[str, Counter[int]]

NO_JSON = RULES["R0"].code
SIZE = 3_000
MAX_ROUNDS = 5
"""Guideline in section 8 of the specification; documents that need more rounds count as not fixed."""

TARGET = 0.95
"""Minimum share of documents that one round fixes."""


# The client ----------------------------------------------------------------------------------------------------------


def after(phrase: str, hint: str) -> Json | None:
    """Return the JSON value after a phrase of a hint, or None; an ellipsis in brackets is read as an empty list."""
    _, separator, rest = hint.partition(phrase)
    if not separator:
        return None
    rest = rest.replace("[…]", "[]", 1)
    try:
        value, end = json.JSONDecoder().raw_decode(rest)
    except ValueError:
        return None
    if isinstance(value, str) and rest[end : end + 2] == ": ":  # "name": value
        value, end = json.JSONDecoder().raw_decode(rest, end + 2)
    return value


def apply(document: Json, item: dict[str, str]) -> None:
    """Follow the hint of one item of `errors[]`; ignore a hint without a known phrase."""
    path = parse_path(item["path"])
    hint = item["hint"]
    if path and not exists(document, path[:-1]):
        return
    if hint.endswith(" first.") or " first. Got " in hint:
        return
    is_unknown = item["message"].startswith("Unknown property")
    if added := re.search(r"Add (\{.*\}) to ([^ ]+)\.(?: |$)", hint):
        append(document, parse_path(added[2]), json.loads(added[1]))
    elif taken := re.search(r"put the (value|object that is the text) of ", hint):
        take_out(document, path, is_text=taken[1] != "value")
    elif unwrapped := re.search(r"Put its `(\w+)` in its place", hint):
        unwrap(document, path, unwrapped[1])
    elif "Wrap it: " in hint:
        wrap(document, path, after("Wrap it: ", hint))
    elif "did you mean " in hint:
        (rename if is_unknown else write)(document, path, after("did you mean ", hint))
    elif is_unknown:
        remove(document, path)
    else:
        phrase = next((phrase for phrase in ("For example ", "Allowed: ") if phrase in hint), None)
        if phrase:
            write(document, path, after(phrase, hint))


def append(document: Json, path: Path, value: Json) -> None:
    if exists(document, path):
        at(document, path).append(value)


def write(document: Json, path: Path, value: Json) -> None:
    place = at(document, path[:-1])
    if isinstance(place, dict) or (isinstance(path[-1], int) and path[-1] < len(place)):
        place[path[-1]] = value


def remove(document: Json, path: Path) -> None:
    if exists(document, path):
        del at(document, path[:-1])[path[-1]]


def rename(document: Json, path: Path, name: str) -> None:
    place = at(document, path[:-1])
    if exists(document, path):
        value = place.pop(path[-1])
        place.setdefault(name, value)


def wrap(document: Json, path: Path, node: Json) -> None:
    holds = next(name for name, value in node.items() if value == [])
    at(document, path[:-1])[path[-1]] = node | {holds: [at(document, path)]}


def take_out(document: Json, path: Path, *, is_text: bool) -> None:
    """Replace the root, the only object that this hint is given for."""
    inner = json.loads(document[path[-1]]) if is_text else document[path[-1]]
    document.clear()
    document.update(inner)


def unwrap(document: Json, path: Path, holds: str) -> None:
    place = at(document, path[:-1])
    index = path[-1]
    inner = place[index].get(holds)
    place[index : index + 1] = inner if isinstance(inner, list) else []


def fix(document: Json, errors: list[dict[str, str]]) -> None:
    """Apply the hints of one round, from the last to the first, so that they do not change the paths of others."""
    for item in reversed(errors):
        apply(document, item)


def fixed_text(text: str, errors: list[dict[str, str]]) -> str:
    """Return the text after one round: with syntax errors fixed, or else with the hints applied."""
    if errors[0]["code"] == NO_JSON:
        return fix_text(text, errors[0]["hint"])
    document = json.loads(text.removeprefix("\ufeff"))
    fix(document, errors)
    return json.dumps(document)


def rounds(post: Post, text: str) -> tuple[int, list[list[dict[str, str]]], str]:
    """Return the number of rounds until the document is valid, at most `MAX_ROUNDS` + 1; the errors; the text."""
    errors: list[list[dict[str, str]]] = []
    for number in range(MAX_ROUNDS + 1):
        response = post(text)
        if response["valid"]:
            return number, errors, text
        errors.append(response["errors"])
        text = fixed_text(text, response["errors"])
    return MAX_ROUNDS if post(text)["valid"] else MAX_ROUNDS + 1, errors, text


# The trials ----------------------------------------------------------------------------------------------------------


def trials(post: Post, seeds: range, breaks: int) -> tuple[Counts, list[Json]]:
    """Break documents in `breaks` places and fix them; return rounds by the first response's codes, and failures."""
    by_code: Counts = defaultdict(Counter)
    failed: list[Json] = []
    for seed in seeds:
        chance = random.Random(seed)
        mutant, done = broken(sample(SIZE, seed=seed % 40), chance, breaks)
        number, errors, _ = rounds(post, json.dumps(mutant))
        if not errors:
            continue
        for code in {item["code"] for item in errors[0]} if breaks > 1 else [errors[0][0]["code"]]:
            by_code[code][number] += 1
        by_code[ALL][number] += 1
        if number > 1:
            failed.append({"done": done, "errors": errors, "before": mutant})
    return by_code, failed


def text_trials(post: Post, seeds: range) -> tuple[Counts, list[Json]]:
    """Break the text of documents in every way in turn and fix it; return rounds by kind of change, and failures."""
    by_break: Counts = defaultdict(Counter)
    failed: list[Json] = []
    for seed in seeds:
        chance = random.Random(seed)
        name, breaker = [*TEXT_BREAKS.items()][seed % len(TEXT_BREAKS)]
        original = sample_text(SIZE, seed=seed % 40, indent=chance.choice((2, 2, 4, None)))
        text = breaker(original, chance)
        number, errors, fixed = rounds(post, text)
        if not errors:
            continue
        by_break[name][number] += 1
        by_break[LOST if name in LOSING else ALL][number] += 1
        by_break[KEPT][1 if _ID.findall(fixed) == _ID.findall(original) else NEVER] += name not in LOSING
        if number > 1:
            failed.append({"done": name, "errors": errors, "before": text})
    return by_break, failed


ALL = "all"
LOST = "all in which something is lost"
"""Changes that remove a part of the document, which no hint can restore; counted separately."""
KEPT = "every node of the document is there again"
_ID = re.compile(r'"id": ?"([^"]*)"')
NEVER = MAX_ROUNDS + 1


def share(counted: Counter[int], most: int = 1) -> float:
    """Return the share of documents that needed at most `most` rounds."""
    return sum(count for number, count in counted.items() if number <= most) / counted.total()


def print_table(title: str, counts: Counts) -> None:
    """Print a table of rounds."""
    print(f"  {title}")
    for name, numbers in sorted(counts.items(), key=lambda item: (item[0] in (ALL, LOST), item[0])):
        if name != KEPT:
            print(f"    {name:<36}{share(numbers):8.1%} of {numbers.total():5,} in one round; most {max(numbers)}")
    if KEPT in counts:
        print(f"    {KEPT:<36}{share(counts[KEPT]):8.1%} of {counts[KEPT].total():5,}")


def main(seeds: int = 3_000) -> bool:
    """Print the rounds; return whether one round fixes 95 % of single errors, and five rounds all documents."""
    from rui_api.app import create_app  # noqa: PLC0415  not for tests that import the client
    from rui_api.config.options import Settings  # noqa: PLC0415
    from tests.rui_api.live import running  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{File(folder) / 'rui.db'}"
        with running(create_app(Settings(store=store))) as service:
            connection = HTTPConnection("127.0.0.1", service.port)

            def post(text: str) -> Json:
                headers = {"Content-Type": "application/json"}
                connection.request("POST", "/api/validate", text.encode(), headers)
                return json.loads(connection.getresponse().read())

            texts, _ = text_trials(post, range(seeds))
            single, _ = trials(post, range(seeds), 1)
            several, _ = trials(post, range(seeds, seeds + seeds // 3), 5)
            connection.close()
    print("\nRounds to valid by the hints alone, over HTTP")
    print_table(f"one change of the text, {len(TEXT_BREAKS)} kinds", texts)
    print_table(f"one error, {len(BREAKS)} kinds", single)
    print_table("up to five errors", several)
    worst = max(*single[ALL], *several[ALL], *texts[ALL], *texts[LOST])
    kept = min(share(single[ALL]), share(texts[ALL])) >= TARGET and worst <= MAX_ROUNDS
    print(f"  in one round: {share(single[ALL]):.1%} of single errors, {share(texts[ALL]):.1%} of changes of the text "
          f"(limit {TARGET:.0%}), all within {MAX_ROUNDS} rounds: {'ok' if kept else 'MISSED'}")  # fmt: skip
    return kept


if __name__ == "__main__":
    main()
