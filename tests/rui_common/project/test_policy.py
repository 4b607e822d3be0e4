"""Which findings a policy ignores while documents change, and globs."""

from pathlib import Path

import pytest

from rui_common.project.globs import Globs
from tests.inputs import ignoring


@pytest.mark.parametrize("seed", range(12))
def test_ignored_warnings_stay_ignored_and_nothing_else_is(seed: int, tmp_path: Path) -> None:
    made, seen = ignoring.check(seed, tmp_path)
    assert made and seen


FITTING = {
    "a.json": ["a.json", "x/a.json", "x/y/a.json"],
    "./a.json": ["a.json"],
    "/x/a.json": ["x/a.json"],
    "x/*.json": ["x/a.json", "x/b[1].json", "x/y/a.json"],
    "**/y/*": ["x/y/a.json"],
    "**/x/a*": ["x/a.json"],
    "x/": [],
    "[ab].json": ["a.json", "x/a.json", "x/y/a.json"],
    "b[[]1].json": ["x/b[1].json"],
    "?.JSON": [],
    "": [],
    "../*": [],
}
PATHS = ("a.json", "x/a.json", "x/b[1].json", "x/y/a.json")


@pytest.mark.parametrize("glob", FITTING)
def test_globs(glob: str) -> None:
    globs = Globs([(glob, glob)])
    assert [path for path in PATHS if globs.fits(path)] == FITTING[glob]


def test_values_come_in_their_order() -> None:
    globs = Globs([("*", 1), ("a.json", 2), ("**/a.json", 3), ("**/*", 4), ("x/**", 5), ("a.json", 6)])
    assert globs.fitting("a.json") == [1, 2, 3, 4, 6]
    assert globs.fitting("x/a.json") == [1, 2, 3, 4, 5, 6]
