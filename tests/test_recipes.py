"""CONTRIBUTING.md: its recipes name what exists, and step 1 of *A block type* is all that the product needs."""

import ast
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from rui_common.suggest import nearest
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import NodeRole

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = {
    text.partition("\n")[0]: text for text in PAGE.split("## How to add …\n")[1].split("\n## ")[0].split("### ")[1:]
}
FOLDERS = (
    "rui_common",
    "rui_openapi",
    "rui_cli",
    "rui_lsp",
    "rui_api",
    "rui_inspector",
    "tests",
    "benchmarks",
    "editors",
)

BLOCKS = [shape.name for shape in VOCABULARY.nodes.values() if shape.role is NodeRole.BLOCK]

# Names --------------------------------------------------------------------------------------------------------------

ELSEWHERE = {
    "CONTENT", "LABEL", "DESCRIPTION", "TODO", "GIVEN", "METHOD", "NAME", "TEXT", "WORD", "RUI", "multiprocess_mode",
    "rui_requests_total",
}  # fmt: skip
"""Values of enums, words that stand for something, and names of Prometheus."""


def defined_in(tree: ast.AST) -> set[str]:
    """Return the names that a module defines: functions, classes, constants, fields and arguments."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names


@cache
def names_of(path: Path) -> set[str]:
    return defined_in(ast.parse(path.read_bytes()))


@cache
def all_names() -> set[str]:
    return set().union(*(names_of(path) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")
                         if "node_modules" not in path.parts))  # fmt: skip


def words(text: str) -> list[str]:
    """Return what stands between backticks, without the commands of *Check*."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^Check: .*$", "", text, flags=re.MULTILINE))


@pytest.mark.parametrize("title", RECIPES)
def test_names_in_a_recipe_exist(title: str) -> None:
    """Constants, functions, classes and files; another test has the paths, and the names with their files."""
    missing = []
    for word in words(RECIPES[title]):
        name = re.sub(r"\(.*\)$|=.*$", "", word)
        if re.fullmatch(r"[\w.-]+\.(py|md|mjs|yaml|toml|json|html|css|js)", name):
            if name not in file_names():
                missing.append(word)
        elif re.fullmatch(r"_?[A-Z][A-Z_]{2,}|[a-z]+(_[a-z0-9]+)+|_?[A-Z]\w*[a-z]\w*\.\w+|test_\w+", name):
            parts = [part for part in name.split(".") if part not in ELSEWHERE]
            missing += [word for part in parts if part not in all_names()]
    assert missing == []


@cache
def file_names() -> set[str]:
    return {Path(name).name for name in tracked()}


def tracked() -> list[str]:
    """Return the names of the files of this project, as git has them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if (ROOT / name).is_file()]


@pytest.mark.parametrize("title", RECIPES)
def test_names_of_a_file_are_in_that_file(title: str) -> None:
    """*`NAME` of `file.py`* and *`NAME` in `file.py`* name what the file contains."""
    text = " ".join(re.sub(r"^Check: .*$", "", RECIPES[title], flags=re.MULTILINE).split())
    missing = []
    for listed, file in re.findall(r"((?:`[\w.]+`(?:, | and | or )?)+) (?:of|in) `([\w/.]+\.(?:py|mjs))`", text):
        path = ROOT / file
        if path.suffix == ".py" and path.exists():
            names = names_of(path)
            missing += [f"{name} in {file}" for name in re.findall(r"`([\w.]+)`", listed)
                        if not {*name.split(".")} <= names]  # fmt: skip
    assert missing == []


# A block type -------------------------------------------------------------------------------------------------------

EMBLEM = """EMBLEM = node(
    "Emblem", NodeRole.BLOCK, "A picture that does not change, such as a logo.",
    Prop("url", TextKind(r"^https://[\\s\\S]+$", form="an address that begins with https://", sample='"https://…"'),
         "The address of the picture.", required=True, example="https://example.org/logo.png",
         placeholder="https://TODO", synonyms="src source href link uri"),
    Prop("alt", string, "What the picture shows, for readers who do not see it.", required=True,
         example="The logo of the shop", role=Role.LABEL, synonyms="alttext caption description title label"),
    Prop("extent", one_of("small", "large"), "How large it is shown.", example="small", synonyms="scale zoom"),
    types="coatofarms crest",
)  # fmt: skip

"""

PROGRAM = """
import json
from jsonschema import Draft202012Validator
from rui_api.contract.llms_txt import llms_txt
from rui_api.decoding.typed_decoder import FastPath
from rui_api.openapi.document import openapi_document
from rui_common.describe import full_example, json_schema, minimal_example, vocabulary_markdown
from rui_common.describe.structured_schema import structured_schema
from rui_common.editing.completion import completions_at
from rui_common.editing.completion_context import completion_context_at
from rui_common.editing.hover import hover_at
from rui_common.editing.normal_form import normalize
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.hashing import content_hash
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.validator import validate
from rui_common.versions.compare import compare
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.signatures import signatures
from rui_inspector.html.wireframe import wireframe_page
from rui_inspector.html.wireframe_svg import wireframe_svg
from rui_inspector.model.view import View

def with_emblem(**more):
    document = minimal_example()
    emblem = {"url": "https://a.example/a.png", "alt": "The shop", "type": "Emblem", "id": "shop"} | more
    emblem = {key: value for key, value in emblem.items() if value is not None}
    document["pages"][0]["children"][0]["children"] = [emblem]
    return document

def rules(document):
    return [(finding.rule, finding.path[-1]) for finding in validate(document).findings]

def completed(text):
    before, _, after = text.partition("<|>")
    analysis = Analysis(read(before + after))
    found = completions_at(analysis, completion_context_at(analysis.document, len(before)), ())
    return [one.label for one in found]

document = with_emblem(extent="small")
normal = normalize(validate(document).tree)
decoded = FastPath().read(json.dumps(document).encode())
schema = Draft202012Validator(json_schema())
text = json.dumps(document)
misspelt = json.dumps(with_emblem()).replace('"alt"', '"atl"')
fixed = apply_safe_fixes(Analysis(read(misspelt))).document.value
after = with_emblem(extent="large", url="https://a.example/b.png")
print(json.dumps({
    "findings": {name: rules(one) for name, one in {
        "valid": document, "without url": with_emblem(url=None), "http": with_emblem(url="http://a.example"),
        "medium": with_emblem(extent="medium"), "another property": with_emblem(icon="x"),
    }.items()},
    "schema": [schema.is_valid(one) for one in (document, with_emblem(alt=None), with_emblem(url="a"))],
    "order": [*normal["pages"][0]["children"][0]["children"][0]],
    "decoded": json.loads(decoded.rui) == normal and decoded.content_hash() == content_hash(document),
    "refused": FastPath().read(json.dumps(with_emblem(url="http://a.example")).encode()) is None,
    "signature": [one for one in signatures(VOCABULARY) if one.startswith("Emblem")],
    "described": ["Emblem" in one for one in (
        vocabulary_markdown(), json.dumps(structured_schema()), llms_txt("http://a"), json.dumps(openapi_document("http://a")),
        json.dumps(full_example()),
    )],
    "hover": hover_at(Analysis(read(text)), text.index('"url"') + 1, "http://a").text,
    "types": sorted(completed(text.replace('"Emblem"', '"<|>"'))),
    "properties": completed(text.replace('"alt": "The shop"', "<|>")),
    "values": completed(text.replace('"small"', '"<|>"')),
    "fixed": rules(fixed),
    "wireframe": ["The shop" in one for one in (wireframe_page(View(document)), wireframe_svg(View(document)))],
    "changes": [change.rest for change in compare(document, after).changes],
}))
"""


INDEPENDENT_COPIES = """
import json
from tests.test_copies import lacking_in_oracle, lacking_in_peer
print(json.dumps([sorted(lacking_in_oracle()), sorted(lacking_in_peer())]))
"""

TESTS = (
    "tests/rui_api/contract/test_reference.py",
    "tests/rui_common/describe/test_describe.py",
    "tests/rui_common/editing/test_completion.py",
    "tests/rui_common/fixes/test_quick_fixes.py",
    "tests/rui_common/validation/test_hints.py",
    "tests/rui_common/validation/test_placeholders.py",
    "tests/rui_common/vocabulary/test_rui_0_1.py",
    "tests/rui_inspector/model/test_wireframe.py",
    "tests/test_copies.py",
)
"""Tests with types or properties in tables, which take seconds."""

OTHERS = ("committed_file", "oracle_lacks", "pydantic_lacks", "one_document_has_one", "most_slips", "hostile_document")
"""Words in the names of tests that wait for the next steps of the recipe, and of those that take longer."""


@pytest.fixture(scope="module")
def after_step_1(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of this project with the vocabulary changed as step 1 says."""
    folder = tmp_path_factory.mktemp("copy")
    for name in tracked():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, path)
    path = folder / "rui_common" / "vocabulary" / "rui_0_1.py"
    text = path.read_text(encoding="utf-8")
    assert text.count("# Layout ---") == 1
    text = text.replace("# Layout ---", f"{EMBLEM}# Layout ---")
    text, count = re.subn(r"(NodeKind\(METRIC, [A-Z, ]+), child=", r"\1, EMBLEM, child=", text)
    assert count == 1
    path.write_text(text, encoding="utf-8")
    return folder


def run_python(folder: Path, *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_other_test_needs_a_change_for_a_new_block_type(after_step_1: Path) -> None:
    chosen = f"not ({' or '.join(OTHERS)})"
    run_python(after_step_1, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, *TESTS)


def test_what_the_independent_copies_lack_of_a_new_block_type(after_step_1: Path) -> None:
    blocks = [*BLOCKS, "Emblem"]
    assert json.loads(run_python(after_step_1, "-c", INDEPENDENT_COPIES)) == [
        [
            f"ALLOWED Section: {blocks}", "ENUMS Emblem.extent: ('small', 'large')", "FORMS url: R7b",
            "TABLE: Emblem          strict  id! type! url! alt! extent", "TEXTS alt: True",
        ],
        ["Block: Emblem", "class Emblem"],
    ]  # fmt: skip


def test_step_1_of_a_block_type_is_all_that_the_product_needs(after_step_1: Path) -> None:
    found = json.loads(run_python(after_step_1, "-c", PROGRAM))
    assert "The address of the picture." in found.pop("hover")
    assert found == {
        "findings": {
            "valid": [], "without url": [["R6", "url"]], "http": [["R7b", "url"]], "medium": [["R7b", "extent"]],
            "another property": [["R7", "icon"]],
        },
        "schema": [True, False, False],
        "order": ["id", "type", "url", "alt", "extent"],
        "decoded": True,
        "refused": True,
        "signature": [
            'Emblem: {"id": ID, "type": "Emblem", "url": "https://…", "alt": string, "extent"?: "small" | "large"}'
        ],
        "described": [True] * 5,
        "types": sorted(["Emblem", *BLOCKS]),
        "properties": ["alt"],
        "values": ["small", "large"],
        "fixed": [],
        "wireframe": [True, True],
        "changes": ["“https://a.example/b.png” instead of “https://a.example/a.png”", "“large” instead of “small”"],
    }  # fmt: skip


UNKNOWN = {"Gizmo", "Container", "DataGrid", "Grid", "Html", "Kpi", "Row", "Screen"}
"""A name that no block type will have, and what other systems call types that exist."""


def test_unknown_types_of_tests_stay_unknown() -> None:
    """Otherwise, a new block type would need an edit of the tests that have its name as an example."""
    files = [path for path in (ROOT / "tests").rglob("*") if path.suffix in (".py", ".md", ".txt")]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    declaration = re.compile(r'(?:node|Shape)\(\s*"(\w+)"')
    later = declaration.findall((ROOT / "tests/support/later_version.py").read_text(encoding="utf-8"))
    known = {*VOCABULARY.shapes, *VOCABULARY.planned, *UNKNOWN, *later}
    values = {value for _, prop in VOCABULARY.props for value in (*prop.kind.values, *prop.kind.planned)}
    unknown = [
        f"{name} in {path.name}"
        for path, text in texts.items()
        for name in re.findall(r'(?:"type": ?|\.type )"([A-Z]\w{1,63})"', text)
        if name not in {*known, *declaration.findall(text)}
        and not nearest(name, [*VOCABULARY.nodes, *UNKNOWN])
        and not nearest(name, values - {*VOCABULARY.nodes})
    ]
    assert "\n".join(unknown) == ""
