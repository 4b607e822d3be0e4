"""Render the documentation for people: vocabulary, rules and endpoints.

The texts are those of the declarations and of ``GET /api/docs``; the templates add headings only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from rui_common.describe.examples import full_example, minimal_example
from rui_common.describe.markdown import pretty
from rui_common.describe.vocabulary_json import planned_features, symbol_payload
from rui_common.suggest import nearest
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.signatures import legend
from rui_inspector.html.pages import Host
from rui_inspector.html.templates import environment
from rui_inspector.html.wireframe import WireframeWriter
from rui_inspector.model.reference import SAMPLE_WIDTH, RuleEntry, rule_entries, rules_named, shape_entries
from rui_inspector.model.view import view_of
from rui_inspector.model.wireframe import wireframe_of

Json = Mapping[str, object]


MAX_NODES = 100
"""Maximum number of nodes in the wireframe of an example."""


def overview_page(payload: Json, host: Host) -> str:
    """Render the first page of the documentation; `payload` is the body of ``GET /api/docs``."""
    example = minimal_example()
    return _render(
        "docs/overview.html", host,
        payload=payload, shapes=shape_entries(), rules=rule_entries(), version=VOCABULARY.version,
        example=pretty(example, width=SAMPLE_WIDTH), screens=_screens(example),
    )  # fmt: skip


def vocabulary_page(host: Host) -> str:
    """Render every shape and property."""
    full = full_example()
    return _render(
        "docs/vocabulary.html", host,
        version=VOCABULARY.version, shapes=shape_entries(),
        symbols=[symbol_payload(symbol, VOCABULARY) for symbol in VOCABULARY.symbols],
        planned=planned_features(VOCABULARY), notation=legend(VOCABULARY), full=pretty(full), screens=_screens(full),
    )  # fmt: skip


def rules_page(host: Host) -> str:
    """Render the list of all rules and warnings."""
    return _render("docs/rules.html", host, version=VOCABULARY.version, **_rule_lists())


def rule_page(word: str, host: Host) -> str | None:
    """Render the rule with a number, or the rules with a code; return None if there is no such name."""
    entries = rules_named(word)
    if not entries:
        return None
    numbers = list(rule_entries())
    first = numbers.index(entries[0].number)
    last = numbers.index(entries[-1].number)
    return _render(
        "docs/rule.html", host,
        entries=entries, before=_at(numbers, first - 1), after=_at(numbers, last + 1), all_rules=rule_entries(),
        example=pretty(minimal_example()),
    )  # fmt: skip


def unknown_rule_page(word: str, host: Host) -> str:
    """Render an error with the list of all rules, for an address that names none."""
    names = [name for entry in rule_entries().values() for name in (entry.number, entry.code)]
    return _render("docs/unknown_rule.html", host, word=word, closest=nearest(word.upper(), names), **_rule_lists())


def api_page(payload: Json, host: Host) -> str:
    """Render the endpoints; `payload` is the body of ``GET /api/docs``."""
    return _render("docs/api.html", host, payload=payload, pretty=pretty, anchor=_endpoint_anchor)


def _render(template: str, host: Host, **values: object) -> str:
    return environment().get_template(template).render(host=host, **values)


def _rule_lists() -> dict[str, list[RuleEntry]]:
    entries = rule_entries().values()
    return {
        "rules": [entry for entry in entries if not entry.is_warning],
        "warnings": [entry for entry in entries if entry.is_warning],
    }


def _at(numbers: Sequence[str], index: int) -> str:
    if 0 <= index < len(numbers):
        return numbers[index]
    return ""


def _screens(document: dict[str, object]) -> Markup:
    view = view_of(document)
    return Markup(WireframeWriter(view, wireframe_of(view, MAX_NODES), None).screens())  # noqa: S704  escaped there


def _endpoint_anchor(endpoint: Json) -> str:
    return f"{endpoint['method']}-{str(endpoint['path']).strip('/').replace('/', '-').replace(':', '')}"
