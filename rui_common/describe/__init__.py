"""Descriptions of the vocabulary and the rules for people, agents and tools, made from the declarations."""

from rui_common.describe.examples import full_example, minimal_example
from rui_common.describe.json_schema import json_schema
from rui_common.describe.rule_pages import rules_markdown
from rui_common.describe.vocabulary_json import vocabulary_payload
from rui_common.describe.vocabulary_page import vocabulary_markdown

__all__ = [
    "full_example",
    "json_schema",
    "minimal_example",
    "rules_markdown",
    "vocabulary_markdown",
    "vocabulary_payload",
]
