"""Apply the `rui.toml` of a document to its diagnostics: the one place, for all surfaces."""

from dataclasses import replace
from typing import NamedTuple

from rui_common.nodes.node import Node
from rui_common.problems.lints import WARNINGS
from rui_common.project.configuration import Ignore, Level, ProjectConfiguration
from rui_common.syntax.paths import Path, format_path
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, Severity

_SEVERITIES = {Level.ERROR: Severity.ERROR, Level.WARNING: Severity.WARNING}


class Applied(NamedTuple):
    """The diagnostics that remain, with their severities, and the entries that have ignored others."""

    diagnostics: list[Diagnostic]
    used: set[Ignore]


def apply_policy(
    configuration: ProjectConfiguration, document: str, analysis: Analysis, diagnostics: list[Diagnostic]
) -> Applied:
    """Return what a `rui.toml` leaves of the diagnostics of a document, whose path is `document`.

    What is no warning by its code stays as it is. An entry of ``[rules]`` comes before ``strict`` of ``[api]``.
    """
    if not (configuration.rules or configuration.ignores):
        return Applied(diagnostics, set())
    tables = configuration.ignores_for(document)
    used: set[Ignore] = set()
    left: list[Diagnostic] = []
    for diagnostic in diagnostics:
        code = diagnostic.code
        if code not in WARNINGS or diagnostic.rule:
            left.append(diagnostic)
            continue
        fitting = [
            table.entries[code, place]
            for table in tables
            for place in places_of(analysis, diagnostic.path)
            if (code, place) in table.entries
        ]
        used.update(fitting)
        level = configuration.rules.get(code)
        if fitting or level is Level.OFF:
            continue
        severity = diagnostic.severity if level is None else _SEVERITIES[level]
        left.append(diagnostic if severity is diagnostic.severity else replace(diagnostic, severity=severity))
    return Applied(left, used)


def places_of(analysis: Analysis, path: Path) -> list[str]:
    """Return the places of entries that fit what is at a path, the most exact one first, all of the document last.

    In a node these are its id, if it has one; elsewhere the path, and those of all parts around it.
    """
    node: Node | None = analysis.nearest(path)
    while node is not None and not (node.shape is not None and node.shape.is_node):
        node = node.parent
    if node is None:
        return [*(format_path(path[:count]) for count in range(len(path), 0, -1)), ""]
    name = id_of(node)
    return [name, ""] if name else [""]


def id_of(node: Node) -> str:
    """Return the id of a node; ``""`` without one."""
    symbol = node.vocabulary.node_symbol
    props = () if node.shape is None else node.shape.all_props
    values = (node.members.get(prop.name) for prop in props if prop.defines is not None and prop.defines is symbol)
    return next((value for value in values if isinstance(value, str)), "")
