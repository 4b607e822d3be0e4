"""Ignored warnings stay ignored while a document is edited elsewhere, and nothing else is.

python -m tests.inputs.ignoring --edits 10000

Some warnings of a document are ignored at their ids and paths. Then come random edits, moves and renames of parents
among them, that keep the ids of the nodes with ignored warnings.
"""

import argparse
import copy
import json
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from rui_common.problems.lints import WARNINGS
from rui_common.project.configuration import ProjectConfiguration, entry_text
from rui_common.project.policy import apply_policy, places_of
from rui_common.syntax.document import read
from rui_common.syntax.paths import Path as Steps
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from tests.inputs.histories import EDITS, History, walk
from tests.inputs.merging import base_document
from tests.inputs.since import add_faults
from tests.support.strategies import Json, Random

NAME = "app.rui.json"
Place = tuple[str, str]
"""The code of a warning, and the id of the node around it; the key of the root outside of nodes."""


def places_in(document: Json, diagnostics: Iterable[Diagnostic]) -> Counter[Place]:
    """Return the places of the warnings, without the product's idea of a place."""
    return Counter(
        (diagnostic.code, _owner(document, diagnostic.path))
        for diagnostic in diagnostics
        if diagnostic.code in WARNINGS
    )


def _owner(document: Json, path: Steps) -> str:
    owner = str(path[0])
    value = document
    for step in path:
        value = value.get(step) if isinstance(value, dict) else value[step]
        if isinstance(value, dict) and "id" in value and "type" in value:
            owner = value["id"]
    return owner


def check(seed: int, folder: Path, edits: int = 10) -> tuple[int, int]:
    """Edit one document; return how many edits were possible, and how many ignored warnings there were after them."""
    chance = random.Random(seed)
    document = base_document(chance)
    add_faults(document, chance, 12)
    document["meta"]["title"] = "TODO"
    ignored = _write_policy(document, chance, folder / "rui.toml")
    configuration = ProjectConfiguration(str(folder / "rui.toml"))
    history = History(document, chance, "one")
    made = seen = 0
    for _ in range(edits):
        if chance.random() < 0.2:
            add_faults(history.document, chance, 1)
        before = copy.deepcopy(history.document)
        original = {**history.original}
        possible = bool(history.edit([chance.choice([*EDITS])]))
        kept = {node["id"] for node, _ in walk(history.document)}
        gone = {node["id"] for node, _ in walk(before)} - kept
        if gone & {owner for _, owner in ignored} and any(new in kept for new in {*history.original} - {*original}):
            history.document, history.original = before, original  # It has renamed the node itself.
            continue
        made += possible
        analysis = Analysis(read(json.dumps(history.document)))
        everything = places_in(history.document, analysis.diagnostics)
        applied = apply_policy(configuration, str(folder / NAME), analysis, analysis.diagnostics)
        left = places_in(history.document, applied.diagnostics)
        expected = Counter({place: count for place, count in everything.items() if place not in ignored})
        assert left == expected, (seed, left - expected, expected - left)
        seen += (everything - left).total()
    return made, seen


def _write_policy(document: Json, chance: Random, path: Path) -> set[Place]:
    """Ignore some warnings of a document; return their places."""
    analysis = Analysis(read(json.dumps(document)))
    ignored: set[Place] = set()
    entries: list[str] = []
    for diagnostic in analysis.diagnostics:
        if diagnostic.code in WARNINGS and chance.random() < 0.6:
            owner = _owner(document, diagnostic.path)
            place = places_of(analysis, diagnostic.path)[0]
            entries.append(entry_text(diagnostic.code, owner if diagnostic.path[0] != "pages" else place))
            ignored.add((diagnostic.code, owner))
    path.write_text(f'[per-file-ignores]\n"{NAME}" = {json.dumps(entries)}\n')
    return ignored


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    total: Counter[str] = Counter()
    seed = args.seed
    with TemporaryDirectory() as name:
        while total["edits"] < args.edits:
            made, seen = check(seed, Path(name))
            total.update(edits=made, seen=seen, documents=1)
            seed += 1
    edits, documents, seen = (f"{total[name]:,}" for name in ("edits", "documents", "seen"))
    print(f"{edits} edits of {documents} documents: {seen} times ignored, nothing else is")


if __name__ == "__main__":
    main()
