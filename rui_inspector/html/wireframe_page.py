"""Write the wireframe of a document as a file of its own: an HTML page with its styles. It needs no other package."""

from __future__ import annotations

from importlib.resources import files

from rui_inspector.escape import escape, escape_attribute, shorten
from rui_inspector.html.wireframe import WireframeWriter, totals_of
from rui_inspector.model.overview import needs_of
from rui_inspector.model.view import View
from rui_inspector.model.wireframe import wireframe_of

UNTITLED = "Untitled RUI"
MAX_NODES = 100_000
POLICY = "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"
"""No script runs, and no file is loaded."""


def wireframe_page(view: View) -> str:
    """Return the wireframe of a document as an HTML page that loads no other file."""
    writer = WireframeWriter(view, wireframe_of(view, MAX_NODES), None)
    title = shorten(view.title or UNTITLED)
    lead = ""
    if view.description:
        lead = f'<p class="lead" dir="auto">{escape(shorten(view.description))}</p>\n'
    totals = " · ".join([f"<b>{total}</b>" for total in totals_of(view)])
    needs = writer.needs(needs_of(view, MAX_NODES))
    styles = files("rui_inspector").joinpath("static/inspector.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape_attribute(title)} · wireframe</title>\n<style>\n{styles}</style>\n</head>\n"
        f'<body class="inspector">\n<header class="masthead">\n<h1 dir="auto">{escape(title)}</h1>\n{lead}'
        f'<p class="totals">{totals}</p>\n<section class="needs"><h2>Data that the app reads, by page</h2>\n'
        f'<ul>\n{needs}</ul></section>\n</header>\n<main><section class="wireframe">\n{writer.screens()}\n'
        "</section></main>\n</body>\n</html>\n"
    )
