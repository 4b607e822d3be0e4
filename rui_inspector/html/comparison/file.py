"""Write a comparison as a file of its own: an HTML page with its styles. It needs no other package."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from rui_inspector.compare.comparison import Comparison
from rui_inspector.escape import escape, escape_attribute, shorten
from rui_inspector.html.comparison.writer import ComparisonWriter
from rui_inspector.html.wireframe_page import POLICY, UNTITLED


def comparison_file(comparison: Comparison, names: str, notes: Iterable[str]) -> str:
    """Return a comparison as an HTML page that loads no other file.

    Args:
        comparison: the differences.
        names: the names of the files.
        notes: sentences on the documents, such as their errors.
    """
    writer = ComparisonWriter(comparison)
    title = shorten(comparison.after.view.title or comparison.before.view.title or UNTITLED)
    folder = files("rui_inspector").joinpath("static")
    styles = "".join([folder.joinpath(name).read_text("utf-8") for name in ("inspector.css", "compare.css")])
    remarks = "".join([f'<p class="unsaved">{escape(note)}</p>\n' for note in notes])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape_attribute(title)} · comparison</title>\n<style>\n{styles}</style>\n</head>\n"
        '<body class="plain comparing">\n<header class="masthead">\n'
        f'<h1>What changed in <span dir="auto">{escape(title)}</span></h1>\n<p class="quiet">{escape(names)}</p>\n'
        f"{remarks}{writer.headlines()}</header>\n"
        f'<main class="comparison">\n{writer.body()}</main>\n</body>\n</html>\n'
    )
