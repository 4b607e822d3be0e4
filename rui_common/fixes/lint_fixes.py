"""Fixes for doubtful values: rename a property, use another value."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rui_common.fixes.context import choices, use_value
from rui_common.fixes.model import Fix
from rui_common.fixes.name_fixes import rename_definition
from rui_common.fixes.property_fixes import rename_property
from rui_common.validation.analysis import Analysis
from rui_common.validation.lints import Lint
from rui_common.validation.meant import Meant
from rui_common.vocabulary.rules import HOST_IN_PATH, KEY_PATH, NOT_SHOWN, PATH_CHARACTER, UNKNOWN_VALUE


def fix_lint(analysis: Analysis, lint: Lint) -> Iterator[Fix]:
    """Yield the fixes of a doubtful value; none for one that only the author can correct."""
    fixer = _FIXES.get(lint.code)
    if fixer is not None and lint.path not in analysis.overridden:
        yield from fixer(analysis, lint)


def _rename(analysis: Analysis, lint: Lint) -> Iterator[Fix]:
    """Rename a further property to the suggested one that it means."""
    yield from rename_property(analysis, lint.path, lint.meant, is_safe=lint.is_certain)


def _choose(analysis: Analysis, lint: Lint) -> Iterator[Fix]:
    """Use the value that is probably meant, or another one."""
    values: tuple[str, ...] = ()
    meant = None
    if lint.prop is not None:
        values = lint.prop.kind.values
    if lint.meant:
        meant = Meant(lint.meant, is_certain=lint.is_certain)
    yield from choices(analysis, lint.path, values, meant)


def _correct(analysis: Analysis, lint: Lint) -> Iterator[Fix]:
    """Use the value that is probably meant; a name is renamed with its uses."""
    if lint.meant and lint.prop is not None and lint.prop.defines is not None:
        yield from rename_definition(analysis, lint.path, lint.meant, is_safe=lint.is_certain)
    elif lint.meant:
        yield from use_value(analysis, lint.path, lint.meant, is_safe=lint.is_certain)


_FIXES: dict[str, Callable[[Analysis, Lint], Iterator[Fix]]] = {
    NOT_SHOWN: _rename,
    UNKNOWN_VALUE: _choose,
    HOST_IN_PATH: _correct,
    PATH_CHARACTER: _correct,
    KEY_PATH: _correct,
}
