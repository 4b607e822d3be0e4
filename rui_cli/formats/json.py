r"""A JSON array with one object a diagnostic, each on a line of its own.

=========== ============================================================================================
``file``     the file as it was named; ``<stdin>`` for standard input
``severity`` ``error`` or ``warning``
``rule``     the number of the rule, ``R7b``; null for a warning of our own
``code``     the error code of section 7.2 of the specification, or of a warning of our own
``path``     where in the value, as over HTTP: ``pages[0].title``; ``""`` for the root and for broken text
``message``  what is wrong
``hint``     how to mend it
``range``    where in the text: ``start`` and ``end``, each with ``line`` and ``column`` (from 1, columns in
             code points) and ``offset`` (from 0, code points behind a byte-order mark); ``end`` is behind the
             last character
``related``  other places that have to do with it: objects with ``message`` and ``range``
=========== ============================================================================================

Properties may be added to these, none is renamed or taken away.
"""

from __future__ import annotations

import json

from rui_common.syntax.paths import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_cli.formats import Style
    from rui_cli.results import Checked, Tally
    from rui_common.syntax.spans import Span
    from rui_common.validation.diagnostics import Diagnostic

IS_TEXT = False


def render(results: Iterable[Checked], tally: Tally, style: Style) -> Iterator[str]:
    """The array; ``[]`` when there is nothing to say."""
    del tally, style
    lead = "[\n"
    for checked in results:
        for diagnostic in checked.diagnostics:
            yield lead + json.dumps(item(checked, diagnostic), ensure_ascii=False)
            lead = ",\n"
    yield "[]\n" if lead == "[\n" else "\n]\n"


def item(checked: Checked, diagnostic: Diagnostic) -> dict[str, object]:
    """The object of one diagnostic."""
    return {
        "file": checked.name,
        "severity": diagnostic.severity,
        "rule": diagnostic.rule or None,
        "code": diagnostic.code,
        "path": format_path(diagnostic.path),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "range": _range(checked, diagnostic.span),
        "related": [{"message": note, "range": _range(checked, span)} for span, note in diagnostic.related],
    }


def _range(checked: Checked, span: Span) -> dict[str, dict[str, int]]:
    (line, column), (end_line, end_column) = checked.place(span)
    return {
        "start": {"line": line, "column": column, "offset": span.start},
        "end": {"line": end_line, "column": end_column, "offset": span.end},
    }
