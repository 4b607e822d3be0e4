"""The reference of the service: /api/docs, its compact form, and /llms.txt."""

import json
import re
from pathlib import Path

from rui_api.contract.compact_form import compact_payload
from rui_api.contract.docs_json import docs_payload
from rui_api.contract.llms_txt import llms_txt
from rui_cli.commands.skill import COMMANDS
from rui_common.describe import (
    full_example,
    minimal_example,
)
from rui_common.describe.skill import skill
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES
from tests.rui_common.vocabulary.gizmo import EXTENDED

ROOT = Path(__file__).parent.parent.parent.parent

BASE = "https://rui.example.org"


def test_the_docs_payload_has_every_endpoint_of_section_4() -> None:
    payload = docs_payload(BASE)
    assert payload["docsVersion"] == "0.1"
    assert len(payload["workflow"]) == 5
    endpoints = {f"{endpoint['method']} {endpoint['path']}": endpoint for endpoint in payload["endpoints"]}
    statuses = {name: {answer["status"] for answer in endpoint["answers"]} for name, endpoint in endpoints.items()}
    expected = {
        "POST /api/validate": {200, 400, 404, 410, 503},
        "POST /api/specs": {201, 200, 400, 404, 410, 503},
        "GET /api/specs/:id": {200, 304, 400, 404, 410, 503},
        "GET /api/docs": {200, 304},
        "GET /llms.txt": {200, 304},
    }
    assert statuses.items() >= expected.items()
    assert {"GET /specs/:id", "GET /api/schema"} <= statuses.keys()
    assert [entry["code"] for entry in payload["errors"]] == [*MESSAGES]
    assert {rule["rule"] for entry in payload["errors"] for rule in entry["rules"]} == RULES.keys()


def test_the_compact_form_names_every_shape_prop_rule_and_limit() -> None:
    compact = compact_payload()
    shapes = " ".join(compact["shapes"])
    for shape in VOCABULARY.shapes.values():
        for prop in shape.all_props:
            assert f'"{prop.name}"{"" if prop.required else "?"}: ' in shapes
    assert [name.split()[0] for name in compact["rules"]] == [*RULES]
    assert compact["planned"] == {"blocks": [*VOCABULARY.planned], "bindings": ["write", "action"]}
    # Models count about 3.9 characters per token; 3.5 leaves a margin.
    characters = len(json.dumps(compact, ensure_ascii=False, separators=(",", ":")))
    assert characters < 3.5 * 2_500
    assert "`?form=compact` returns it in fewer than 2,500 tokens" in (ROOT / "README.md").read_text()


def headings(markdown: str) -> list[str]:
    without_code = re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)
    return re.findall(r"^#+ .*$", without_code, flags=re.MULTILINE)


def test_llms_txt_keeps_its_grammar() -> None:
    text = llms_txt(BASE)
    title, summary, words, *sections = re.split(r"\n\n(?=> |Workflow:)|\n\n(?=## )", text)
    assert re.fullmatch(r"# [^\n]+", title)
    assert re.fullmatch(r"> [^\n]+", summary)
    assert headings(words) == []
    for section in sections:
        heading, links = section.strip().split("\n\n")
        assert re.fullmatch(r"## [^\n]+", heading)
        for line in links.splitlines():
            assert re.fullmatch(rf"- \[[^\]]+\]\({re.escape(BASE)}/[^)]+\): .+\.", line)
    assert [section.split("\n")[0] for section in sections] == ["## Start here", "## Optional"]


def test_llms_txt_gives_the_instructions() -> None:
    text = llms_txt(BASE)
    assert re.findall(r"^(\d)\. ", text, flags=re.MULTILINE) == ["1", "2", "3", "4", "5"]
    assert f"Not yet: blocks {', '.join(VOCABULARY.planned)}; bindings write, action are planned" in text
    documents = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", text, flags=re.DOTALL)]
    assert documents == [minimal_example(), full_example()]


def size(value: object) -> int:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode())


def test_texts_for_models_stay_small_and_recommend_warnings() -> None:
    """What a model reads before its first document is little more than the vocabulary and an example."""
    compact = compact_payload()
    vocabulary = size([compact["shapes"], compact["meanings"], full_example()])
    guide = skill(COMMANDS)
    for text, more in ((llms_txt(BASE), 3_150), (compact, 3_600), (guide, 1_600)):
        assert size(text) <= vocabulary + more
    for text in (llms_txt(BASE), json.dumps(compact)):
        assert text.count("?warnings=true") == 1
    assert "rui check --fix --format agent app.rui.json" in guide


def test_llms_txt_describes_a_new_block_type() -> None:
    assert '"style": "line" | "bar"' in llms_txt("http://localhost", EXTENDED)
