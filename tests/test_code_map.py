"""The code map of ARCHITECTURE.md names every module, in its room, and nothing that is not there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("## Code map\n")[1].split("\n## ")[0]
PACKAGES = [
    "rui_common",
    "rui_common/broken",
    "rui_common/describe",
    "rui_common/client",
    "rui_cli",
    "rui_lsp",
    "rui_api",
    "rui_inspector",
]
UNNAMED = {"__init__.py", "__main__.py"}


def on_the_map(package: str) -> set[str]:
    """The files that the part of the map about a package names, those of its folders by their path in it."""
    part = re.split(r"^(?:### )?`(?:rui_\w+|rui_\w+/\w+)/`.*\n", MAP, flags=re.MULTILINE)
    titles = re.findall(r"^(?:### )?`(rui_\w+|rui_\w+/\w+)/`", MAP, flags=re.MULTILINE)
    text = dict(zip(titles, part[1:], strict=True))[package]
    named = set()
    for row in re.findall(r"^\| .*$", text, flags=re.MULTILINE):
        folder = re.match(r"\| `(\w+/)` ", row)
        place = row if folder else row.split(" | ")[0]
        named |= {(folder[1] if folder else "") + name for name in re.findall(r"`(\w+\.py)`", place)}
    return named


@pytest.mark.parametrize("package", PACKAGES)
def test_the_code_map_is_complete(package: str) -> None:
    rooms_of_their_own = [ROOT / other for other in PACKAGES if other.startswith(f"{package}/")]
    there = {
        path.relative_to(ROOT / package).as_posix()
        for path in (ROOT / package).rglob("*.py")
        if path.name not in UNNAMED and path.parent not in rooms_of_their_own
    }
    assert on_the_map(package) == there, "ARCHITECTURE.md, code map: a line for every module, none for what is gone"
