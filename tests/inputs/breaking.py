"""Valid documents with errors at known paths. `tests/inputs/convergence.py` fixes them again."""

import copy
import random
from collections.abc import Callable
from typing import Any

from tests.support.oracle import faults
from tests.support.strategies import ODD_NAMES, ODD_VALUES, Path, at, places, put

Json = Any
Random = random.Random
NAMES = ("id", "key", "field", "pageId")
Change = Callable[[Json, Path, Random], Path]


def broken(document: Json, chance: Random, times: int) -> tuple[Json, list[Path]]:
    """Return a copy of a valid document with independent breaks, and their paths.

    Each break alone is an error at its path, as the oracle finds. No break is within another or within a node with
    another type, whose content the validator skips, and no two concern the same name. No list gets shorter or longer,
    so all other paths stay the same.
    """
    mutant = copy.deepcopy(document)
    done: list[Path] = []
    taken: list[Path] = []
    everywhere = [path for path in places(document) if path]
    for _ in range(100 * times):
        if len(done) == times:
            break
        alone = copy.deepcopy(document)
        path = chance.choice(_CHANGES)(alone, chance.choice(everywhere), chance)
        changed = [path[:-1]] if path[-1] == "type" else [path]
        if path[-1] in NAMES:
            names = [at(value, path) for value in (document, alone) if path in places(value)]
            changed += [other for other in everywhere if other[-1] in NAMES and at(document, other) in names]
        if path[-1] == "field":
            changed.append((*path[:-2], "columns"))
        is_free = not any(_overlap(changed_path, taken_path) for changed_path in changed for taken_path in taken)
        if is_free and any(fault[0] == path for fault in faults(alone)):
            _apply(mutant, alone, path)
            done.append(path)
            taken += changed
    return mutant, done


def _overlap(first: Path, second: Path) -> bool:
    """Return whether one of two paths is a prefix of the other."""
    size = min(len(first), len(second))
    return first[:size] == second[:size]


def _apply(mutant: Json, alone: Json, path: Path) -> None:
    """Make the change at `path` in another document, too."""
    if isinstance(path[-1], str) and path[-1] not in at(alone, path[:-1]):
        del at(mutant, path[:-1])[path[-1]]
    else:
        put(mutant, path, at(alone, path))


def _replace(document: Json, path: Path, chance: Random) -> Path:
    put(document, path, chance.choice(ODD_VALUES))
    return path


def _delete(document: Json, path: Path, chance: Random) -> Path:
    if isinstance(path[-1], int):
        return _replace(document, path, chance)
    del at(document, path[:-1])[path[-1]]
    return path


def _add(document: Json, path: Path, chance: Random) -> Path:
    name = chance.choice(ODD_NAMES)
    owner = at(document, path)
    if not isinstance(owner, dict) or name in owner:
        return _replace(document, path, chance)
    owner[name] = chance.choice(ODD_VALUES)
    return (*path, name)


def _copy_alike(document: Json, path: Path, chance: Random) -> Path:
    """Copy the same property of another object, for example its id."""
    put(document, path, at(document, chance.choice([other for other in places(document) if other[-1:] == path[-1:]])))
    return path


_CHANGES: tuple[Change, ...] = (_replace, _delete, _add, _copy_alike)
