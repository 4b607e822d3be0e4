"""A comparison as an HTML page that loads no other file, with wireframes before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rui_cli.diff_result import DiffResult
from rui_cli.errors import UsageError
from rui_cli.output import Style
from rui_inspector.html.comparison.file import comparison_file

IS_TEXT = False


def render(results: Iterable[DiffResult], style: Style) -> Iterator[str]:
    """Yield the page.

    Raises:
        UsageError: there are several documents.
    """
    del style
    is_first = True
    for result in results:
        if not is_first:
            raise UsageError("--format html compares two files, not folders")
        notes = [note for note in (result.note, *result.notes()) if note]
        yield comparison_file(result.comparison, result.names, notes)
        is_first = False
