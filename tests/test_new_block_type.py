"""A new block type is data: its declaration is all that the product needs."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import NodeRole

ROOT = Path(__file__).parent.parent
BLOCKS = [shape.name for shape in VOCABULARY.nodes.values() if shape.role is NodeRole.BLOCK]

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

ITINERARY = """STOP = Shape(
    "Stop", "One place of an itinerary.",
    [Prop("place", string, "What the place is called.", required=True, example="Vienna", role=Role.LABEL)],
)

ITINERARY = node(
    "Itinerary", NodeRole.BLOCK, "Two to twelve places, in the order of the journey.",
    Prop("stops", ListKind(ObjectKind(STOP), at_least=2, at_most=12), "The places.", required=True,
         example=[{"place": "Vienna"}, {"place": "Graz"}], synonyms="places"),
    types="journey trip",
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
from rui_common.validation.analysis import validate
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

PROGRAM_WITH_BOUNDS = """
import json
import random
from jsonschema import Draft202012Validator
from rui_api.decoding.typed_decoder import FastPath
from rui_common.describe import full_example, json_schema, minimal_example, vocabulary_markdown
from rui_common.describe.examples import shape_example
from rui_common.describe.typescript import typescript
from rui_common.describe.vocabulary_json import limits_payload
from rui_common.editing.completion import completions_at
from rui_common.editing.completion_context import completion_context_at
from rui_common.editing.edits import apply
from rui_common.editing.hover import hover_at
from rui_common.fixes.quick_fixes import fixes_of
from rui_common.fixes.refactorings import refactorings
from rui_common.syntax.document import read
from rui_common.syntax.spans import Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rui_0_1 import ITINERARY, VOCABULARY
from rui_common.vocabulary.signatures import signatures
from rui_inspector.model.view import View
from rui_inspector.html.wireframe import wireframe_page
from tests.support.strategies import sound_document

COUNTS = (0, 1, 2, 12, 13)
STOPS = "pages[0].children[0].children[0].stops"

def with_stops(count):
    document = minimal_example()
    stops = [{"place": f"Place {number}"} for number in range(count)]
    document["pages"][0]["children"][0]["children"] = [{"id": "trip", "type": "Itinerary", "stops": stops}]
    return json.dumps(document)

def fixed(analysis):
    [finding] = analysis.findings
    return {fix.title: len(stops_of(apply(analysis.document.text, fix.edits)))
            for fix in fixes_of(analysis, finding) if "Stop" in fix.title}

def stops_of(text):
    return json.loads(text)["pages"][0]["children"][0]["children"][0]["stops"]

def offered(text, place):
    start = text.index(place)
    return [one.title for one in refactorings(Analysis(read(text)), Span(start, start))]

def inserted(text):
    before, _, after = text.partition("<|>")
    analysis = Analysis(read(before + after))
    context = completion_context_at(analysis.document, len(before))
    return {one.label: one.snippet.text for one in completions_at(analysis, context, ())}

def random_counts():
    def of(value):
        if isinstance(value, dict) and value.get("type") == "Itinerary":
            yield len(value["stops"])
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from of(inner)
    return [count for seed in range(300) for count in of(sound_document(random.Random(seed)))]

analyses = {count: Analysis(read(with_stops(count))) for count in COUNTS}
schema = Draft202012Validator(json_schema())
full = json.dumps(full_example())
counts = random_counts()
text = with_stops(2)
print(json.dumps({
    "errors": {count: [(one.code, one.message, one.hint) for one in each.findings] for count, each in analyses.items()},
    "fixes": {count: fixed(analyses[count]) for count in (0, 1, 13)},
    "schema": [schema.is_valid(json.loads(with_stops(count))) for count in COUNTS],
    "decoded": [FastPath().read(with_stops(count).encode()) is not None for count in COUNTS],
    "signature": [one for one in signatures(VOCABULARY) if one.startswith("Itinerary")],
    "typescript": [line.strip() for line in typescript().splitlines() if "stops" in line or "The places" in line],
    "limits": [limits_payload()[name].get("Itinerary.stops") for name in ("minItems", "maxItems")],
    "reference": [line for line in vocabulary_markdown().splitlines() if line.startswith("| `stops`")],
    "hover": hover_at(Analysis(read(text)), text.index('"stops"') + 1, "").text,
    "examples": [len(shape_example(ITINERARY)["stops"]), not Analysis(read(full)).findings, '"Graz"' in full],
    "random": [min(counts), max(counts)],
    "completion": {
        "property": inserted('{"pages": [{"type": "Page", "children": [{"type": "Section", "children": ['
                             '{"type": "Itinerary", "<|>"}]}]}]}')["stops"],
        "value": inserted('{"pages": [{"type": "Page", "children": [{"type": "Section", "children": ['
                          '{"type": "Itinerary", "stops": <|>}]}]}]}')["[Stop]"],
    },
    "duplicate": [[one for one in offered(with_stops(count), '"Place 1"') if "Dup" in one] for count in (2, 12)],
    "wireframe": ["stops: 1 instead of 2 to 12 elements" in wireframe_page(View(json.loads(with_stops(1))))],
}))
"""


@pytest.fixture(scope="module")
def with_a_new_type(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of this project whose vocabulary declares two more block types."""
    folder = tmp_path_factory.mktemp("copy")
    for name in tracked():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, path)
    path = folder / "rui_common" / "vocabulary" / "rui_0_1.py"
    text = path.read_text(encoding="utf-8")
    assert text.count("# Layout ---") == 1
    text = text.replace("# Layout ---", f"{EMBLEM}{ITINERARY}# Layout ---")
    text, count = re.subn(r"(NodeKind\(METRIC, [A-Z, ]+), child=", r"\1, EMBLEM, ITINERARY, child=", text)
    assert count == 1
    path.write_text(text, encoding="utf-8")
    return folder


def tracked() -> list[str]:
    """Return the names of the files of this project, as git has them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if (ROOT / name).is_file()]


def run_python(folder: Path, *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_declaration_is_all_that_the_product_needs(with_a_new_type: Path) -> None:
    found = json.loads(run_python(with_a_new_type, "-c", PROGRAM))
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
        "types": sorted(["Emblem", "Itinerary", *BLOCKS]),
        "properties": ["alt"],
        "values": ["small", "large"],
        "fixed": [],
        "wireframe": [True, True],
        "changes": ["“https://a.example/b.png” instead of “https://a.example/a.png”", "“large” instead of “small”"],
    }  # fmt: skip


def test_the_number_of_elements_is_declared_once(with_a_new_type: Path) -> None:
    found = json.loads(run_python(with_a_new_type, "-c", PROGRAM_WITH_BOUNDS))
    few = ["INVALID_PROP_TYPE", 'Invalid value for "stops".', "Must be an array of 2 to 12 elements."]
    objects = '[\n  {"place": "TODO"},\n  {"place": "TODO"}\n]'
    assert found == {
        "errors": {
            "0": [few], "1": [[*few[:2], f"{few[2]} Got 1."]], "2": [],
            "12": [], "13": [[*few[:2], f"{few[2]} Got 13."]],
        },
        "fixes": {"0": {"Add 2 Stops": 2}, "1": {"Add a Stop": 2}, "13": {}},
        "schema": [False, False, True, True, False],
        "decoded": [False, False, True, True, False],
        "signature": ['Itinerary: {"id": ID, "type": "Itinerary", "stops": [{"place": string}] (2 to 12 elements)}'],
        "typescript": ["/** The places. It is an array of 2 to 12 elements. */", "stops: Stop[];"],
        "limits": [2, 12],
        "reference": [
            "| `stops` | `Stop[]`: an array of 2 to 12 elements | yes | The places. "
            "| missing: [R6](rules.md#r6); type, empty, length: [R7b](rules.md#r7b) |"
        ],
        "hover": "**Itinerary.stops**: `Stop[]` (required)\n\nThe places.\n\nForm: an array of 2 to 12 elements",
        "examples": [2, True, True],
        "random": [2, 4],
        "completion": {"property": f'"stops": {objects}', "value": objects},
        "duplicate": [["Duplicate the stop"], []],
        "wireframe": [True],
    }  # fmt: skip
