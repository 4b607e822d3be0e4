"""Findings about names: duplicate definitions, uses without a definition, definitions without a use.

The same three checks serve every symbol of the vocabulary (rules R3, R10, R11, R17 and R21).
"""

from __future__ import annotations

from rui_common.validation.findings import Finding
from rui_common.validation.free_names import FreshIdPlaceholder
from rui_common.validation.links import DanglingUse, UnusedDefinition
from rui_common.validation.model import FIRST_USED, LINK_HERE, NEAREST_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.paths import Path
    from rui_common.validation.scopes import Scope
    from rui_common.vocabulary.schema import Symbol

MAX_COMPARED = 1_000
"""Pairs of a dangling and a defined name per scope that are compared. It bounds the time for hostile documents."""


def find_duplicate(scope: Scope, symbol: Symbol, name: str, path: Path, base: Path) -> Finding | None:
    """Return a finding if an earlier path than `path`, relative to the scope at `base`, defines `name`."""
    names = scope.defined[symbol].first
    first = names.get(name, path)
    if symbol.duplicate is None or first == path:
        return None
    return Finding(
        base + path,
        symbol.duplicate,
        got=name,
        example=FreshIdPlaceholder(name),
        related=((base + first, FIRST_USED),),
        used_names=(names,),
    )


def find_dangling(scope: Scope, symbol: Symbol, name: str, path: Path, base: Path) -> Finding | None:
    """Return a finding if the use of `name` at `path` certainly has no definition."""
    defined = scope.defined[symbol]
    if symbol.dangling is None or not defined.is_complete or name in defined.first:
        return None
    finding = Finding(base + path, symbol.dangling, got=name, names=defined.names())
    defined.lookups += 1
    if symbol.unused is not None:
        finding = finding._replace(suggestion=DanglingUse(scope, symbol))
    if defined.lookups > 1 and defined.lookups * len(defined.first) > MAX_COMPARED:
        return finding._replace(match=None)
    match = finding.closest_match()
    if match is None:
        return finding._replace(match=None)
    return finding._replace(match=match, related=((base + defined.first[match], NEAREST_NAME),))


def find_unused(scope: Scope, symbol: Symbol, name: str, path: Path, base: Path) -> Finding | None:
    """Return a finding if the `name` defined at `path` certainly has no use."""
    used = scope.used[symbol]
    defined = scope.defined[symbol]
    if symbol.unused is None or not used.is_complete or name in used.first or name not in defined.first:
        return None
    finding = Finding(base + path, symbol.unused, got=name, suggestion=UnusedDefinition(scope, symbol))
    if used.container is None:
        return finding
    return finding._replace(related=((base + used.container, LINK_HERE),))
