"""Vocabulary and catalogue → everything that describes them to people, agents and tools.

Nothing in here is written down twice: shapes, properties, rules, messages, limits and examples all come from
`rui_common.vocabulary` and `rui_common.catalog`. What is said the same of every version (the endpoints) stands in
`rui_common.describe.contracts`.
"""

from __future__ import annotations

from rui_common.describe.docs_page import docs_markdown
from rui_common.describe.docs_payload import docs_payload
from rui_common.describe.examples import full_example, minimal_example
from rui_common.describe.json_schema import json_schema
from rui_common.describe.llms import llms_txt
from rui_common.describe.rules_pages import rule_page, rules_markdown
from rui_common.describe.slices import compact_payload, compact_slice, slice_payload
from rui_common.describe.vocabulary_page import vocabulary_markdown
from rui_common.describe.vocabulary_payload import vocabulary_payload

__all__ = [
    "compact_payload",
    "compact_slice",
    "docs_markdown",
    "docs_payload",
    "full_example",
    "json_schema",
    "llms_txt",
    "minimal_example",
    "rule_page",
    "rules_markdown",
    "slice_payload",
    "vocabulary_markdown",
    "vocabulary_payload",
]
