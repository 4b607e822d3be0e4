"""Answer notes on random pairs of versions: `python -m tests.inputs.noting --pairs 500 --seed 0`.

With `--chains`, of three versions: notes that the second one leaves untouched are carried over, and answered by the
third.

A pair is a document, and the document after edits that people and agents make. Each object has a number that the
product does not see, so that it is known what a part has become, and whether users see the same there. A note on a part
that they see unchanged is untouched; any other one is answered. The new version is disguised: new ids, ids that are
numbered anew, spaces, further properties; and the notes are sent through mails.
"""

import argparse
import copy
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rui_common.syntax.paths import Path, format_path
from rui_common.versions.answers import Answer, Outcome, answers_to
from rui_common.versions.compare import compare
from rui_common.versions.notes import Note, read_notes
from rui_common.versions.replaced import version_hash
from tests.inputs.histories import EDITS, History, rename_node
from tests.inputs.merging import base_document
from tests.support.senders import SENDERS
from tests.support.strategies import Json, Random, at, shuffle_keys

NUMBER = "number of the object"
NEW_NUMBERS = 1_000_000  # from which objects are numbered that the second of three versions adds
IDS = ("id", "pageId")
LISTS = ("pages", "children", "columns", "filter", "options", "navigation", "items", "binding")
VISIBLE = (
    *LISTS, "type", "title", "description", "direction", "label", "format", "content", "method", "path", "valuePath",
    "key", "field", "value",
)  # fmt: skip
"""The properties that users see; the others are further ones, or ids."""


class Part(NamedTuple):
    """A part of the old version: a numbered object, and the path from there."""

    sort: str  # for the counts
    owner: int
    steps: Path

    def path(self, document: Json) -> Path | None:
        """Return the path in a version; None if the object is not there."""
        found = next((path for path, value in objects(document) if value.get(NUMBER) == self.owner), None)
        return None if found is None else (*found, *self.steps)


def objects(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    if isinstance(value, dict):
        yield path, value
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from objects(inner, (*path, step))


def numbered(document: Json) -> Json:
    document = copy.deepcopy(document)
    for number, (_, value) in enumerate(objects(document)):
        value[NUMBER] = number
    return document


def without_numbers(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: without_numbers(inner) for name, inner in value.items() if name != NUMBER}
    return [without_numbers(inner) for inner in value] if isinstance(value, list) else value


# What users see ------------------------------------------------------------------------------------------------------


def seen(value: Json) -> Json:
    """Return what users see of a part. Of a main text, the lines count."""
    if isinstance(value, dict):
        shown = {name: seen(inner) for name, inner in value.items() if name in VISIBLE}
        if isinstance(shown.get("content"), str):
            shown["content"] = [line.split() for line in value["content"].strip().split("\n")]
        return {name: inner for name, inner in shown.items() if inner not in ("", [], [[]])}
    if isinstance(value, list):
        return [seen(inner) for inner in value]
    return " ".join(value.split()) if isinstance(value, str) else value


def longest(order: list[int]) -> int:
    """Return the length of the longest increasing sequence in a list."""
    lengths: list[int] = []
    for index, item in enumerate(order):
        lengths.append(1 + max((lengths[before] for before in range(index) if order[before] < item), default=0))
    return max(lengths, default=0)


def may_have_moved(old: Json, new: Json, part: Part, paths: tuple[Path, Path]) -> bool:
    """Return whether an element is in another list, or may have moved in its list; the order of pages is hidden."""
    lists = [at(document, path[:-1]) for document, path in zip((old, new), paths, strict=True)]
    parents = [at(document, path[:-2]) for document, path in zip((old, new), paths, strict=True)]
    if paths[0][:1] == ("pages",) and len(paths[0]) == 2:
        return False
    if parents[0].get(NUMBER) != parents[1].get(NUMBER):
        return True
    positions = {item[NUMBER]: index for index, item in enumerate(lists[0])}
    order = [item.get(NUMBER) for item in lists[1] if item.get(NUMBER) in positions]
    without = [positions[number] for number in order if number != part.owner]
    return longest(without) == longest([positions[number] for number in order])


def expected(old: Json, new: Json, part: Part) -> bool | None:
    """Return whether a note on a part is answered; None if that depends on what else is equal."""
    old_path, new_path = part.path(old), part.path(new)
    assert old_path is not None
    before = at(old, old_path)
    after = value_at(new, new_path)
    is_same = new_path is not None and (seen(before) or None) == (seen(after) or None)
    if not is_same:
        # Another part that is new and equal is as good for users. So is one in a node with that id, if its own is gone.
        is_unclear = is_elsewhere(old, new, old_path) or (
            new_path is None and part.steps and has_id_of(old, new, old_path)
        )
        return None if is_unclear else True
    assert new_path is not None
    if not all(is_known(old, new, *paths) for paths in nodes_of(old, new, old_path, new_path)):
        return None
    is_element = part.steps == () and isinstance(old_path[-1], int)
    if is_element and all(before.get(name) == after.get(name) for name in IDS):
        return may_have_moved(old, new, part, (old_path, new_path))
    return False


def value_at(document: Json, path: Path | None) -> Json:
    try:
        return None if path is None else at(document, path)
    except (KeyError, IndexError, TypeError):
        return None


def node_around(document: Json, path: Path) -> Json:
    """Return the innermost node at or around a path; the document if there is none."""
    for length in range(len(path), 0, -1):
        value = value_at(document, path[:length])
        if isinstance(value, dict) and "type" in value and "id" in value:
            return value
    return document


def nodes_of(old: Json, new: Json, old_path: Path, new_path: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the paths of what a part is known by: the node around it, and its page or the page that a link opens."""
    yield old_path, new_path
    yield old_path[:2], new_path[:2]
    pages = []
    for document, path in ((old, old_path), (new, new_path)):
        link = value_at(document, path[:3])
        targets = [value["id"] for value in document["pages"]]
        if path[:2] == ("navigation", "items") and link.get("pageId") in targets:
            pages.append(("pages", targets.index(link["pageId"])))
    if len(pages) == 2:
        yield pages[0], pages[1]


def is_known(old: Json, new: Json, old_path: Path, new_path: Path) -> bool:
    """Return whether the node around a part can be known again: by its id, its label, its data, or what users see."""
    before, after = node_around(old, old_path), node_around(new, new_path)
    if seen(before) == seen(after):
        return True
    by_id = next((value for _, value in objects(new) if value.get("id") == before.get("id")), None)
    if by_id is not None:
        return by_id is after
    return any(
        key(before) == key(after) and key(before) and is_alone(old, before, key) and is_alone(new, after, key)
        for key in (label, data)
    )


def is_alone(document: Json, node: Json, key: Callable[[Json], Json]) -> bool:
    """Return whether no other node of a type has the label or the data of a node."""
    nodes = [value for _, value in objects(document) if value.get("type") == node.get("type") and "id" in value]
    return sum(key(other) == key(node) for other in nodes) == 1


def label(node: Json) -> str:
    return " ".join(str(node.get("label", node.get("title", ""))).split())


def data(node: Json) -> list[Json]:
    if "children" in node:  # a block may take its data elsewhere
        return []
    return [[value["path"], value.get("valuePath")] for _, value in objects(seen(node)) if "path" in value]


def has_id_of(old: Json, new: Json, path: Path) -> bool:
    own_id = node_around(old, path).get("id")
    return any(value.get("id") == own_id for _, value in objects(new))


def is_elsewhere(old: Json, new: Json, path: Path) -> bool:
    """Return whether a node is equal to one in the new version that was not equal before, or the label or data are."""
    node = node_around(old, path)
    equals = {value.get(NUMBER) for _, value in objects(old) if seen(value) == seen(node)}
    if len(equals) > 1:  # nothing tells which of them is gone
        return True
    for _, value in objects(new):
        if value.get("type") != node.get("type") or value.get(NUMBER) == node.get(NUMBER):
            continue
        if seen(value) == seen(node) and value.get(NUMBER) not in equals:
            return True
        is_similar = label(value) == label(node) != "" or data(value) == data(node) != []
        if node is not at(old, path) and is_similar:
            return True
    return False


# The new version -----------------------------------------------------------------------------------------------------


def distinct_data(document: Json) -> None:
    """Give each block its own value: no app shows one twice."""
    found: set[str] = set()
    for number, (_, value) in enumerate(objects(document)):
        if "path" in value and "method" in value:
            key = json.dumps([value["path"], value.get("valuePath")])
            if key in found:
                value["valuePath"] = f"{value.get('valuePath', 'data')}.v{number}"
            found.add(key)


def number_ids(document: Json) -> None:
    """Name each node by its type and its number, as many agents do."""
    counts = Counter[str]()
    names = {}
    nodes = [value for _, value in objects(document) if "id" in value and "type" in value]
    for node in nodes:
        counts[node["type"]] += 1
        names[node["id"]] = f"{node['type'].lower()}-{counts[node['type']]}"
        node["id"] = names[node["id"]]
    for item in document["navigation"]["items"]:
        item["pageId"] = names.get(item["pageId"], item["pageId"])


def renew_ids(document: Json, chance: Random) -> None:
    """Give the nodes of a page new ids, or those of all pages."""
    pages = document["pages"]
    for page in pages if chance.random() < 0.3 else [chance.choice(pages)]:
        names = {}
        for _, node in objects(page):
            if "id" in node and "type" in node:
                names[node["id"]] = f"n-{chance.getrandbits(40)}"
                node["id"] = names[node["id"]]
        for item in document["navigation"]["items"]:
            item["pageId"] = names.get(item["pageId"], item["pageId"])


def add_spaces(document: Json, chance: Random) -> None:
    for _, value in objects(document):
        for name in ("label", "title", "content", "description"):
            if isinstance(value.get(name), str) and value[name] and chance.random() < 0.2:
                value[name] = f" {value[name].replace(' ', '  ')}"


def add_properties(document: Json, chance: Random) -> None:
    for path, value in objects(document):
        if path and isinstance(path[-1], int) and "id" not in value and chance.random() < 0.2:
            value["width"] = chance.randint(1, 9)
    document["meta"]["owner"] = chance.choice(("", "x"))


def forget_others(old: Json, new: Json) -> None:
    """Take their numbers from the columns and options that are other ones: with another name and label."""
    olds = {value[NUMBER]: value for _, value in objects(old)}
    for _, value in objects(new):
        former: Json = olds.get(value.get(NUMBER)) or value
        name = "key" if "key" in former else "value"
        has_label = label(former) == label(value) != ""
        if "id" not in former and former.get(name) != value.get(name) and not has_label:
            del value[NUMBER]


def edited(old: Json, chance: Random, *, is_numbered: bool) -> Json:
    history = History(copy.deepcopy(old), chance, "new")
    history.edit(
        chance.choices([name for name in EDITS if name != rename_node.__name__], k=chance.choice((0, 1, 1, 2, 4)))
    )
    new = history.document
    forget_others(old, new)
    known = {value[NUMBER] for _, value in objects(old)}
    for number, (_, value) in enumerate(objects(new)):
        if value.get("type") != "Section":
            value.pop("direction", None)
        if value.get(NUMBER) not in known:  # what is new is no copy of anything
            for name in {"label", "title", "content", "path"} & {*value}:
                value[name] = f"{value[name]} {number}" if name != "path" else f"{value[name]}/n{number}"
    if is_numbered:
        number_ids(new)
    elif chance.random() < 0.6:
        renew_ids(new, chance)
    if chance.random() < 0.4:
        add_spaces(new, chance)
    if chance.random() < 0.4:
        add_properties(new, chance)
    return new


# The notes -----------------------------------------------------------------------------------------------------------


def parts_of(document: Json) -> Iterator[Part]:
    """Yield the parts that notes may be about, of every sort."""
    for path, value in objects(document):
        owner = value[NUMBER]
        if any(isinstance(step, str) and step not in LISTS for step in path):
            continue
        if "id" in value and "type" in value:
            yield Part(value["type"], owner, ())
            for name in ("title", "label", "content", "description", "format", "direction", "columns", "filter"):
                if name in value:
                    yield Part(name, owner, (name,))
            for name in {"path", "valuePath"} & {*value.get("binding", {})}:
                yield Part(name, owner, ("binding", name))
        elif path and isinstance(path[-1], int) and (value.get("label", "").strip() or "key" in value):
            yield Part({"columns": "column", "options": "option", "items": "link"}.get(str(path[-2]), ""), owner, ())
            if "label" in value:
                yield Part(f"label of {path[-2]}", owner, ("label",))


def markdown(document: Json, parts: list[Part]) -> str:
    lines = ["Change it.", "", f"- Content hash: `{version_hash(without_numbers(document))}`"]
    for number, part in enumerate(parts, 1):
        path = part.path(document) or ()
        lines += [
            "",
            f"{number}. {part.sort} **Name {number}** `{format_path(path)}`",
            "   - Now: `{}`",
            "   - Note: Do it.",
        ]
    return "\n".join([*lines, ""])


class Verdicts(NamedTuple):
    """The notes of a pair by sort: the number of right and of unknown answers, and lines about the wrong ones."""

    right: Counter[str]
    unknown: int
    wrong: list[str]


def check_chain(seed: int) -> Verdicts:
    """Answer the notes on the first of three versions, carry those that are untouched over, and answer them again."""
    chance = random.Random(seed)
    first = base_document(chance)
    distinct_data(first)
    first = numbered(first)
    second = edited(first, chance, is_numbered=False)
    for number, (_, value) in enumerate(objects(second)):
        value.setdefault(NUMBER, NEW_NUMBERS + number)
    third = edited(second, chance, is_numbered=False)
    by_sort: dict[str, list[Part]] = {}
    for part in parts_of(first):
        by_sort.setdefault(part.sort, []).append(part)
    noted = [(part, part.path(first) or ()) for part in (chance.choice(some) for some in by_sort.values())]
    verdicts = Verdicts(Counter(), 0, [])
    for old, new in ((first, second), (second, third)):
        versions = without_numbers(old), without_numbers(new)
        document_hash = version_hash(versions[0])
        notes = [
            Note(number, path, part.sort, document_hash=document_hash) for number, (part, path) in enumerate(noted)
        ]
        if not notes:
            break
        answers = answers_to(notes, compare(*versions)).answers
        assert [answer.note for answer in answers] == notes, "a note is lost"
        carried = []
        for (part, path), answer in zip(noted, answers, strict=True):
            is_answered = expected(old, new, part) if part.path(old) == path else None
            verdicts = _with(verdicts, f"seed {seed}", part, answer, is_answered)
            if answer.outcome is not Outcome.UNTOUCHED:
                continue
            if answer.path is not None:
                assert value_at(new, answer.path) is not None, f"seed {seed}: {part} has no place"
                carried.append((part, answer.path))
            else:  # users do not see that white space is gone
                assert str(value_at(old, path)).isspace(), f"seed {seed}: {part} has no place"
        noted = carried
    return verdicts


def _with(verdicts: Verdicts, where: str, part: Part, answer: Answer, is_answered: bool | None) -> Verdicts:
    """Return verdicts with one more; `is_answered` is None if the truth depends on what else is equal."""
    if is_answered is None:
        return verdicts._replace(unknown=verdicts.unknown + 1)
    if is_answered is (answer.outcome is not Outcome.UNTOUCHED):
        verdicts.right[f"{part.sort}, {'answered' if is_answered else 'untouched'}"] += 1
    else:
        path = format_path(answer.note.path)
        verdicts.wrong.append(f"{where}: {part.sort} {path}: {answer.outcome.value} {answer.lines}")
    return verdicts


def check(seed: int) -> Verdicts:
    chance = random.Random(seed)
    old = base_document(chance)
    distinct_data(old)
    is_numbered = chance.random() < 0.3
    if is_numbered:
        number_ids(old)
    old = numbered(old)
    new = edited(old, chance, is_numbered=is_numbered)
    by_sort: dict[str, list[Part]] = {}
    for part in parts_of(old):
        by_sort.setdefault(part.sort, []).append(part)
    parts = [chance.choice(some) for some in by_sort.values()]
    text = markdown(old, parts)
    for name in chance.sample([*SENDERS], chance.choice((0, 1, 2))):
        text = SENDERS[name](text)
    versions = without_numbers(old), shuffle_keys(without_numbers(new), chance)
    answers = answers_to(read_notes(text), compare(*versions)).answers
    assert [answer.note.path for answer in answers] == [part.path(old) for part in parts]
    verdicts = Verdicts(Counter(), 0, [])
    for part, answer in zip(parts, answers, strict=True):
        verdicts = _with(verdicts, f"seed {seed}", part, answer, expected(old, new, part))
    return verdicts


def main() -> None:
    """Check many pairs or chains; print the counts, and the wrong answers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--chains", action="store_true", help="chains of three versions in place of pairs")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    right = Counter[str]()
    unknown = wrong = 0
    for seed in range(args.seed, args.seed + args.pairs):
        verdicts = check_chain(seed) if args.chains else check(seed)
        right += verdicts.right
        unknown += verdicts.unknown
        wrong += len(verdicts.wrong)
        for line in verdicts.wrong:
            print(line)
    for sort, count in sorted(right.items()):
        print(f"{count:6} {sort}")
    sort = "chains" if args.chains else "pairs"
    print(f"{right.total()} notes on {args.pairs} {sort}: {wrong} wrong; {unknown} more depend on what else is equal")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
