"""Which findings a policy ignores while documents change, and globs."""

from pathlib import Path

import pytest

from rui_common.project.configuration import ProjectConfiguration
from rui_common.project.globs import Globs, escape
from tests.inputs import ignoring


@pytest.mark.parametrize("seed", range(12))
def test_ignored_warnings_stay_ignored_and_nothing_else_is(seed: int, tmp_path: Path) -> None:
    made, seen = ignoring.check(seed, tmp_path)
    assert made and seen


PATHS = (
    "a.json", "b[1].json", "b1.json", "i/c.json", "x/a.json", "x/b[1].json", "x/y/a.json",
    "[id]/c.json", "[id]/[...rest]/c.json", "[[id]]/c.json", "c*.json", "cd.json", "[*].json", "[e].json",
)  # fmt: skip
FITTING = {
    "a.json": ["a.json", "x/a.json", "x/y/a.json"],
    "./a.json": ["a.json"],
    "/x/a.json": ["x/a.json"],
    "x/*.json": ["x/a.json", "x/b[1].json", "x/y/a.json"],
    "**/y/*": ["x/y/a.json"],
    "**/x/a*": ["x/a.json"],
    "x/": [],
    "[ab].json": ["a.json", "x/a.json", "x/y/a.json"],
    "[!bc].json": ["a.json", "x/a.json", "x/y/a.json"],
    "?.JSON": [],
    "": [],
    "../*": [],
    # Brackets are a set of characters, and a name that has them.
    "b[1].json": ["b[1].json", "b1.json", "x/b[1].json"],
    "b[[]1].json": ["b[1].json", "x/b[1].json"],
    "b\\[1\\].json": ["b[1].json", "x/b[1].json"],
    "b[[]1[]].json": ["b[1].json", "x/b[1].json"],
    "b[0-9].json": ["b1.json"],
    "b[2].json": [],
    "b[1.json": [],
    "[id]/c.json": ["i/c.json", "[id]/c.json"],
    "[id]/*.json": ["i/c.json", "[id]/c.json", "[id]/[...rest]/c.json"],
    "[[]id]/c.json": ["[id]/c.json"],
    "\\[id]/c.json": ["[id]/c.json"],
    "[id]/[...rest]/[c].json": ["[id]/[...rest]/c.json"],
    "[[id]]/c.json": ["[[id]]/c.json"],
    "**/[...rest]/*": ["[id]/[...rest]/c.json"],
    "c[*].json": ["c*.json"],
    "c\\*.json": ["c*.json"],
    "[*].json": ["[*].json"],
    "[z-a].json": [],
    "[/]c.json": [],
    "/".join(["[i][d]"] * 30): [],
}


@pytest.mark.parametrize("glob", FITTING)
def test_globs(glob: str) -> None:
    globs = Globs([(glob, glob)])
    assert [path for path in PATHS if globs.fits(path)] == FITTING[glob]


@pytest.mark.parametrize("path", PATHS)
def test_an_escaped_path_fits_itself_alone(path: str) -> None:
    globs = Globs([(f"./{escape(path)}", path)])
    assert [other for other in PATHS if globs.fits(other)] == [path]


PLACES = {
    "exclude": 'exclude = ["GLOB"]',
    "per-file-ignores": '[per-file-ignores]\n"GLOB" = ["MARKUP"]',
    "api.overrides": '[[api.overrides]]\nfiles = ["GLOB"]\nopenapi = "b.yaml"',
}


@pytest.mark.parametrize("place", PLACES)
def test_every_glob_of_a_rui_toml_is_the_same(place: str, tmp_path: Path) -> None:
    file = tmp_path / "rui.toml"
    for glob, expected in FITTING.items():
        file.write_text(PLACES[place].replace("GLOB", glob.replace("\\", "\\\\")))
        configuration = ProjectConfiguration(str(file))
        found = {
            "exclude": configuration.excludes,
            "per-file-ignores": configuration.ignores_for,
            "api.overrides": lambda path, read=configuration: read.api_choice(path).openapi,
        }[place]
        fitting = [path for path in PATHS if found(str(tmp_path / path))]
        if place == "exclude":  # also what is in a folder that fits
            assert {*fitting} >= {*expected}
        else:
            assert fitting == expected, glob


def test_values_come_in_their_order() -> None:
    globs = Globs([("*", 1), ("a.json", 2), ("**/a.json", 3), ("**/*", 4), ("x/**", 5), ("a.json", 6)])
    assert globs.fitting("a.json") == [1, 2, 3, 4, 6]
    assert globs.fitting("x/a.json") == [1, 2, 3, 4, 5, 6]
