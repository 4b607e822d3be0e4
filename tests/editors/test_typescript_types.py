"""`rui schema --typescript`: tsc accepts valid documents and a renderer, and refuses other documents."""

import json
import subprocess
from pathlib import Path

import pytest

from editors.build_vsix import EXTENSION, install_packages
from rui_common.describe import full_example
from tests.editors import tools
from tests.rui_cli.running import rui

EXAMPLES = Path(__file__).parents[2] / "examples"

RENDERER = """\
import type { Block, RUI } from "./rui";

function render(block: Block): string {
  switch (block.type) {
    case "Metric":
      return `${block.label}: ${block.binding.path} ${block.binding.valuePath.split(".").join(" > ")}`;
    case "Table":
      return block.columns.map((column) => column.label ?? column.key).join(" | ") + (block.filter?.field ?? "");
    case "Text":
      return block.content;
  }
}

export function pages(rui: RUI): string[] {
  return rui.pages.flatMap((page) => page.children.flatMap((section) => section.children.map(render)));
}
"""

WRONG = {
    "a type that is not registered": ('"type": "Metric"', '"type": "Chart"'),
    "an unknown property": ('"label"', '"caption"'),
    "a value of another type": ('"pages": [', '"pages": 5, "x": ['),
    "a metric without a value path": ('"valuePath"', '"pick"'),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the types."""
    folder = tmp_path_factory.mktemp("types")
    code, text, _ = rui("schema", "--typescript")
    assert code == 0
    (folder / "rui.ts").write_text(text)
    with tools.or_skip():
        tools.on_path("npm")
    with tools.one_at_a_time("extension"):
        install_packages()
    return folder


def errors_of(folder: Path, programs: dict[str, str]) -> list[str]:
    """Return the errors of tsc in programs beside the types; `programs` has their texts by the names of their files."""
    for name, text in programs.items():
        (folder / name).write_text(text, encoding="utf-8")
    options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--module", "esnext"]
    command = [EXTENSION / "node_modules" / ".bin" / "tsc", *options, "--moduleResolution", "bundler", *programs]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not done.stdout), done.stderr
    return done.stdout.splitlines()


def valid_program() -> str:
    """Return a program with the examples as constants, which a renderer uses."""
    paths = [path for path in EXAMPLES.rglob("*.rui.json") if path.name != "first-draft.rui.json"]
    documents = [path.read_text(encoding="utf-8") for path in paths] + [json.dumps(full_example())]
    assert len(documents) > 3
    values = [f"const rui{number}: RUI = {text};" for number, text in enumerate(documents)]
    uses = [f"console.assert(pages(rui{number}).length > 0);" for number in range(len(documents))]
    start = ["declare const console: { assert(value: boolean): void };", 'import type { RUI } from "./rui";']
    return "\n".join([*start, 'import { pages } from "./renderer";', *values, *uses])


def test_valid_documents_and_a_renderer_compile_and_others_do_not(folder: Path) -> None:
    document = json.dumps(full_example())
    parts = ['import type { RUI } from "./rui";']
    for number, (old, new) in enumerate(WRONG.values()):
        assert old in document
        parts.append(f"const wrong{number}: RUI = {document.replace(old, new)};")
    programs = {"renderer.ts": RENDERER, "main.ts": valid_program(), "wrong.ts": "\n".join(parts)}
    found = {line.partition(",")[0] for line in errors_of(folder, programs) if line[0] != " "}
    assert found == {f"wrong.ts({number + 2}" for number in range(len(WRONG))}
