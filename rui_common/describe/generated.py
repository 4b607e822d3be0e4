"""The files under docs/ that are made from vocabulary and catalogue."""

from __future__ import annotations

import json

from rui_common.describe.json_schema import json_schema
from rui_common.describe.rule_pages import rules_markdown
from rui_common.describe.vocabulary_json import vocabulary_payload
from rui_common.describe.vocabulary_page import vocabulary_markdown
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Vocabulary


def generated_files(vocabulary: Vocabulary = VOCABULARY) -> dict[str, str]:
    """The text of every generated file, by name; the same in every run."""
    return {
        "rules.md": rules_markdown(vocabulary),
        "vocabulary.md": vocabulary_markdown(vocabulary),
        f"rui-{vocabulary.version}.schema.json": _json(json_schema(vocabulary)),
        f"vocabulary-{vocabulary.version}.json": _json(vocabulary_payload(vocabulary)),
    }


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
