"""Random histories in git: `rui check --since` is the difference of two full runs, but for what moved.

python -m tests.inputs.since --histories 500

Documents get faults, are committed, edited, moved to other files, and get more faults. The identity of a part is its
original id, key or page, which the history knows, and not what the product matches. A part that has another name, and
has changed otherwise, may be a new one, with what is in it.
"""

import argparse
import contextlib
import copy
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from rui_common.syntax.paths import parse_path
from tests.inputs.histories import EDITS, History, name_in_list, walk
from tests.inputs.merging import base_document
from tests.rui_cli.running import rui
from tests.support.strategies import Json, Random

Key = tuple[str, str, str, str]
"""Document, identity and place of a part, and what is said about it."""

ANEW = {"replace_node", "rebuild_node"}
"""Edits after which a node is another one."""
NAMES = ("apps/one.rui.json", "apps/two.rui.json", "three.rui.json")
GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "gc.auto=0")


def _set(name: str, value: object) -> Callable[[Json], None]:
    return lambda node: node.update({name: value})


def _set_path(node: Json) -> None:
    node.get("binding", {})["path"] = "/api/{id}"


FAULTS: dict[str, list[Callable[[Json], None]]] = {
    "Page": [_set("description", "TODO"), _set("titel", "x"), _set("colour", 1)],
    "Section": [_set("colour", 1), _set("title", "{{ name }}")],
    "Metric": [_set_path, _set("format", "no-format"), _set("colour", 1)],
    "Table": [_set_path, _set("colour", 1)],
    "Text": [_set("colour", 1)],
    "column": [_set("hidden", True), _set("type", "no-type")],
    "item": [_set("hidden", True)],
}


def add_faults(document: Json, chance: Random, count: int) -> None:
    """Add faults that leave the names and labels of the parts as they are."""
    nodes = [node for node, _ in walk(document)]
    parts = [(node["type"], node) for node in nodes]
    parts += [("column", column) for node in nodes for column in node.get("columns", [])]
    parts += [("item", item) for item in document["navigation"]["items"]]
    for _ in range(count):
        kind, part = chance.choice(parts)
        chance.choice(FAULTS[kind])(part)


def keys_of(report: str, documents: Mapping[str, tuple[str, Json, History | None]]) -> Counter[Key]:
    """Return the findings of a report in JSON, of documents by file: the original file, the value, the history."""
    keys: Counter[Key] = Counter()
    for item in json.loads(report):
        original, value, history = documents[item["file"]]
        names = {} if history is None else history.original
        links = {} if history is None else history.original_link
        part, place, left = "", [], []
        for step in parse_path(item["path"]):
            value = value[step] if isinstance(value, list) or (isinstance(value, dict) and step in value) else None
            place.append(step)
            if isinstance(value, dict) and isinstance(step, int):
                kind = place[-2]
                name = name_in_list(value, links if kind == "items" else names)
                part = name if kind in {"children", "pages"} else f"{part} {kind} {name}"
                place = []
            left = place
        keys[original, part, json.dumps(left), item["message"]] += 1
    return keys


class Counts(NamedTuple):
    """The numbers of findings."""

    new: int
    old: int
    renamed: int  # of the new ones, those of parts with another name that were there before


def check(seed: int, folder: Path) -> Counts:
    """Compare the runs of one history in an empty folder."""
    chance = random.Random(seed)
    bases = {name: base_document(chance) for name in NAMES}
    for number, base in enumerate(bases.values()):
        for node, _ in walk(base):
            node["id"] = f"{node['id']}-{number}"
        for item in base["navigation"]["items"]:
            item["pageId"] = f"{item['pageId']}-{number}"
        add_faults(base, chance, chance.randrange(8))
    _git(folder, "init", "--quiet")
    for name, base in bases.items():
        _write(folder / name, base)
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message", "base")
    with contextlib.chdir(folder):
        before = keys_of(rui("check", "--format", "json").out, {name: (name, bases[name], None) for name in NAMES})
        after: dict[str, tuple[str, Json, History]] = {}
        for name, base in bases.items():
            history = History(copy.deepcopy(base), chance, "one")
            history.edit(chance.choices([edit for edit in EDITS if edit not in ANEW], k=chance.randrange(6)))
            history.forget_moved(base)
            add_faults(history.document, chance, chance.randrange(4))
            new_name = chance.choice((name, name, f"new/{name}", f"renamed-{name.rpartition('/')[2]}"))
            Path(name).unlink()
            _write(folder / new_name, history.document)
            after[new_name] = (name, history.document, history)
        if chance.random() < 0.5:
            _git(folder, "add", "--all")
        whole = keys_of(rui("check", "--format", "json").out, after)
        since = keys_of(rui("check", "--format", "json", "--since", "HEAD").out, after)
        expected = whole - before
        assert not expected - since, (seed, expected - since)
        renamed = {(name, old) for name, _, history in after.values() for old in history.original_link.values()}
        further = {key for key in since - expected if all((key[0], name) not in renamed for name in key[1].split(" "))}
        assert not further, (seed, further)
        ran = rui("check", "--quiet", "--since", "HEAD", "--error-on-warnings")
        assert ran.code == bool(since), ran
    return Counts(since.total(), (whole - since).total(), (since - expected).total())


def _write(path: Path, document: Json) -> None:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False))


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    total: Counter[str] = Counter()
    different: list[str] = []
    for seed in range(args.seed, args.seed + args.histories):
        with tempfile.TemporaryDirectory() as name:
            try:
                total.update(check(seed, Path(name).resolve())._asdict())
            except AssertionError as error:
                different.append(str(error))
    print(*different, sep="\n")
    print(f"{args.histories} histories: {len(different)} differ; findings: {dict(total)}")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
