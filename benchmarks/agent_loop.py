"""Are the hints enough? A client that knows nothing of RUIs mends documents by what the service answers, word for word.

It has no vocabulary, no rules and no right document: for every item of `errors[]` it does what the hint says, and
posts again. Nine turns of phrase it can read in a hint: Mend … first (then this one waits), Add … to PATH, put the
value of … in the place of the object around it, Put its `…` in its place, Wrap it: …, did you mean …, For example …,
Remove, Allowed: … (of which it takes the first). A hint without any of them it cannot use.
A text that is no JSON is mended by `benchmarks/mending_text.py`, by the hint of the 400.

Printed are the rounds until the service says `valid`, by code, over sound documents broken in one place and in several,
and by what was done to the text of them; and the share that one round was enough for. Only that is counted as mended
by the hint which the service then accepts.
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
from benchmarks.mending_text import mend_text
from benchmarks.sample import sample, sample_text
from rui_common.syntax.paths import parse_path
from rui_common.vocabulary.rules import RULES

Json = Any
Post = Callable[[str], Json]
"""Sends the text of a document to be validated."""
Counts = dict[str, Counter[int]]

NO_JSON = RULES["R0"].code
SIZE = 3_000
MOST_ROUNDS = 5
"""A guideline of section 8 of the specification; documents that take more count as not mended."""

TARGET = 0.95


# The client ----------------------------------------------------------------------------------------------------------


def after(phrase: str, hint: str) -> Json | None:
    """The JSON value behind a phrase of a hint, or None; an ellipsis in brackets is read as an empty list."""
    _, there, rest = hint.partition(phrase)
    if not there:
        return None
    rest = rest.replace("[…]", "[]", 1)
    try:
        value, end = json.JSONDecoder().raw_decode(rest)
    except ValueError:
        return None
    if isinstance(value, str) and rest[end : end + 2] == ": ":  # "name": value, what to add
        value, end = json.JSONDecoder().raw_decode(rest, end + 2)
    return value


def apply(document: Json, item: dict[str, str]) -> None:
    """Do what one item of `errors[]` says; an item that nothing can be made of is left alone."""
    path, hint = parse_path(item["path"]), item["hint"]
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
    """Only of the root: it is the one object that the hint is given for."""
    inner = json.loads(document[path[-1]]) if is_text else document[path[-1]]
    document.clear()
    document.update(inner)


def unwrap(document: Json, path: Path, holds: str) -> None:
    place, index = at(document, path[:-1]), path[-1]
    inner = place[index].get(holds)
    place[index : index + 1] = inner if isinstance(inner, list) else []


def fix(document: Json, errors: list[dict[str, str]]) -> None:
    """One round. From the end, so that no path is led astray by what was put in or taken out before it."""
    for item in reversed(errors):
        apply(document, item)


def mended_text(text: str, errors: list[dict[str, str]]) -> str:
    """One round: of a text that is no JSON at all, and of one that is."""
    if errors[0]["code"] == NO_JSON:
        return mend_text(text, errors[0]["hint"])
    document = json.loads(text.removeprefix("\ufeff"))
    fix(document, errors)
    return json.dumps(document)


def rounds(post: Post, text: str) -> tuple[int, list[list[dict[str, str]]], str]:
    """Rounds until the document is valid, `MOST_ROUNDS` + 1 if it is not by then; what each was told; the last text."""
    told: list[list[dict[str, str]]] = []
    for number in range(MOST_ROUNDS + 1):
        answer = post(text)
        if answer["valid"]:
            return number, told, text
        told.append(answer["errors"])
        text = mended_text(text, answer["errors"])
    return MOST_ROUNDS + (not post(text)["valid"]), told, text


# The trials ----------------------------------------------------------------------------------------------------------


def trials(post: Post, seeds: range, breaks: int) -> tuple[Counts, list[Json]]:
    """Break a document in so many places, and mend it: rounds by the codes that were reported first."""
    by_code: Counts = defaultdict(Counter)
    failed: list[Json] = []
    for seed in seeds:
        chance = random.Random(seed)
        mutant, done = broken(sample(SIZE, seed=seed % 40), chance, breaks)
        number, told, _ = rounds(post, json.dumps(mutant))
        if not told:
            continue
        for code in {item["code"] for item in told[0]} if breaks > 1 else [told[0][0]["code"]]:
            by_code[code][number] += 1
        by_code[ALL][number] += 1
        if number > 1:
            failed.append({"done": done, "told": told, "before": mutant})
    return by_code, failed


def text_trials(post: Post, seeds: range) -> tuple[Counts, list[Json]]:
    """Break the text of a document in one way after the other, and mend it: rounds by what was done to it."""
    by_break: Counts = defaultdict(Counter)
    failed: list[Json] = []
    for seed in seeds:
        chance = random.Random(seed)
        name, breaker = [*TEXT_BREAKS.items()][seed % len(TEXT_BREAKS)]
        sound = sample_text(SIZE, seed=seed % 40, indent=chance.choice((2, 2, 4, None)))
        text = breaker(sound, chance)
        number, told, fixed = rounds(post, text)
        if not told:
            continue
        by_break[name][number] += 1
        by_break[LOST if name in LOSING else ALL][number] += 1
        by_break[KEPT][1 if _ID.findall(fixed) == _ID.findall(sound) else NEVER] += name not in LOSING
        if number > 1:
            failed.append({"done": name, "told": told, "before": text})
    return by_break, failed


ALL = "all"
LOST = "all in which something is lost"
"""Where something of the document is gone, nobody can say what it was: these are counted apart."""
KEPT = "every node of the document is there again"
_ID = re.compile(r'"id": ?"([^"]*)"')
NEVER = MOST_ROUNDS + 1


def share(counted: Counter[int], most: int = 1) -> float:
    """The share that took at most so many rounds."""
    return sum(count for number, count in counted.items() if number <= most) / counted.total()


def printed(title: str, counts: Counts) -> None:
    """One table."""
    print(f"  {title}")
    for name, numbers in sorted(counts.items(), key=lambda item: (item[0] in (ALL, LOST), item[0])):
        if name != KEPT:
            print(f"    {name:<36}{share(numbers):8.1%} of {numbers.total():5,} in one round; most {max(numbers)}")
    if KEPT in counts:
        print(f"    {KEPT:<36}{share(counts[KEPT]):8.1%} of {counts[KEPT].total():5,}")


def main(seeds: int = 3_000) -> bool:
    """Print rounds by code; whether one round mends 95 % of single faults, and five rounds everything."""
    from rui_api.app import create_app  # noqa: PLC0415  the service is loaded when it is asked
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
    printed(f"one slip in the text, {len(TEXT_BREAKS)} sorts of them", texts)
    printed(f"one fault, {len(BREAKS)} sorts of them", single)
    printed("up to five faults", several)
    worst = max(*single[ALL], *several[ALL], *texts[ALL], *texts[LOST])
    kept = min(share(single[ALL]), share(texts[ALL])) >= TARGET and worst <= MOST_ROUNDS
    print(f"  in one round: {share(single[ALL]):.1%} of single faults, {share(texts[ALL]):.1%} of slips in the text "
          f"(limit {TARGET:.0%}), all within {MOST_ROUNDS} rounds: {'ok' if kept else 'MISSED'}")  # fmt: skip
    return kept


if __name__ == "__main__":
    main()
