"""The bundle of CodeMirror is what its sources build, and names the licences of its packages."""

import json

from editors.build_codemirror import OUTPUT, SOURCES, build
from tests.editors import tools


def test_the_bundle_can_be_rebuilt_from_exact_versions() -> None:
    with tools.or_skip():
        tools.on_path("npm")
    assert build() == OUTPUT.read_bytes()
    package = json.loads((SOURCES / "package.json").read_text())
    lock = json.loads((SOURCES / "package-lock.json").read_text())["packages"]
    wanted = {**package["dependencies"], **package["devDependencies"]}
    assert {name: lock[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in entry for name, entry in lock.items() if name)


def test_the_bundle_contains_the_licences() -> None:
    start = OUTPUT.read_text(encoding="utf-8")[:20_000]
    for words in ("MIT License", "Permission is hereby granted", "@codemirror/view 6.", "@lezer/json 1."):
        assert words in start
