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

from rui_common.vocabulary import rui_0_1
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

BLOCKS = [shape.name for shape in rui_0_1.VOCABULARY.nodes.values() if shape.role is NodeRole.BLOCK]

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
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {Path(name).name for name in listed.splitlines()}


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

VOCABULARY = Path("rui_common") / "vocabulary" / "rui_0_1.py"

IMAGE = """IMAGE = node(
    "Image", NodeRole.BLOCK, "A picture that does not change, such as a logo.",
    Prop("url", TextKind(r"^https://[\\s\\S]+$", form="an address that begins with https://", sample='"https://…"'),
         "The address of the picture.", required=True, example="https://example.org/logo.png",
         placeholder="https://TODO", synonyms="src source href link uri"),
    Prop("alt", string, "What the picture shows, for readers who do not see it.", required=True,
         example="The logo of the shop", role=Role.LABEL, synonyms="alttext caption description title label"),
    Prop("size", one_of("small", "large"), "How large it is shown.", example="small", synonyms="width height"),
    types="picture photo img logo",
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
from rui_inspector.model.view import view_of

def with_image(**more):
    document = minimal_example()
    image = {"url": "https://a.example/a.png", "alt": "The shop", "type": "Image", "id": "shop"} | more
    image = {key: value for key, value in image.items() if value is not None}
    document["pages"][0]["children"][0]["children"] = [image]
    return document

def rules(document):
    return [(finding.rule, finding.path[-1]) for finding in validate(document).findings]

def completed(text):
    before, _, after = text.partition("<|>")
    analysis = Analysis(read(before + after))
    found = completions_at(analysis, completion_context_at(analysis.document, len(before)), ())
    return [one.label for one in found]

document = with_image(size="small")
normal = normalize(validate(document).tree)
decoded = FastPath().read(json.dumps(document).encode())
schema = Draft202012Validator(json_schema())
text = json.dumps(document)
misspelt = json.dumps(with_image()).replace('"alt"', '"atl"')
fixed = apply_safe_fixes(Analysis(read(misspelt))).document.value
after = with_image(size="large", url="https://a.example/b.png")
print(json.dumps({
    "findings": {name: rules(one) for name, one in {
        "valid": document, "without url": with_image(url=None), "http": with_image(url="http://a.example"),
        "another size": with_image(size="medium"), "another property": with_image(icon="x"),
    }.items()},
    "schema": [schema.is_valid(one) for one in (document, with_image(alt=None), with_image(url="a"))],
    "order": [*normal["pages"][0]["children"][0]["children"][0]],
    "decoded": json.loads(decoded.rui) == normal and decoded.content_hash() == content_hash(document),
    "refused": FastPath().read(json.dumps(with_image(url="http://a.example")).encode()) is None,
    "signature": [one for one in signatures(VOCABULARY) if one.startswith("Image")],
    "described": ["Image" in one for one in (
        vocabulary_markdown(), json.dumps(structured_schema()), llms_txt("http://a"), json.dumps(openapi_document("http://a")),
        json.dumps(full_example()),
    )],
    "hover": hover_at(Analysis(read(text)), text.index('"url"') + 1, "http://a").text,
    "types": completed(text.replace('"Image"', '"<|>"')),
    "properties": completed(text.replace('"alt": "The shop"', "<|>")),
    "values": completed(text.replace('"small"', '"<|>"')),
    "fixed": rules(fixed),
    "wireframe": ["The shop" in one for one in (wireframe_page(view_of(document)), wireframe_svg(view_of(document)))],
    "changes": [change.rest for change in compare(document, after).changes],
}))
"""


def follow_step_1(folder: Path) -> None:
    """Copy the product, and change the vocabulary as step 1 says."""
    for name in (one for one in FOLDERS if one.startswith("rui_")):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / VOCABULARY
    text = path.read_text(encoding="utf-8")
    for before, after in (
        ("# Layout ---", f"{IMAGE}# Layout ---"),
        ("NodeKind(METRIC, TABLE, TEXT,", "NodeKind(METRIC, TABLE, TEXT, IMAGE,"),
        (' image"', '"'), ("buttons, images, themes", "buttons, themes"),
        ('    "image": "RUI has no images: leave it out.",\n', ""),
        (" height size variant", " variant"), ("class classname css width", "class classname css"),
    ):  # fmt: skip
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")


def test_step_1_of_a_block_type_is_all_that_the_product_needs(tmp_path: Path) -> None:
    follow_step_1(tmp_path)
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "The address of the picture." in found.pop("hover")
    assert found == {
        "findings": {
            "valid": [], "without url": [["R6", "url"]], "http": [["R7b", "url"]], "another size": [["R7b", "size"]],
            "another property": [["R7", "icon"]],
        },
        "schema": [True, False, False],
        "order": ["id", "type", "url", "alt", "size"],
        "decoded": True,
        "refused": True,
        "signature": [
            'Image: {"id": ID, "type": "Image", "url": "https://…", "alt": string, "size"?: "small" | "large"}'
        ],
        "described": [True] * 5,
        "types": sorted(["Image", *BLOCKS]),
        "properties": ["alt"],
        "values": ["small", "large"],
        "fixed": [],
        "wireframe": [True, True],
        "changes": ["“https://a.example/b.png” instead of “https://a.example/a.png”", "“large” instead of “small”"],
    }  # fmt: skip
