"""The environment of the templates: every text that they show is escaped."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rui_inspector.escape import escape, escape_attribute, shorten
from rui_inspector.html.json_colors import color_json


def _with_code(text: str) -> Markup:
    """Return a text as HTML, with the parts between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))  # noqa: S704  it is escaped


def _escape_markup(text: str) -> Markup:
    return Markup(escape(text))  # noqa: S704  it is escaped


def _attribute_markup(text: str) -> Markup:
    return Markup(escape_attribute(text))  # noqa: S704  it is escaped


def _json_markup(text: str) -> Markup:
    return Markup(color_json(text))  # noqa: S704  it is escaped


@cache
def environment() -> Environment:
    """Return the environment with the templates of this package."""
    templates = Environment(
        loader=PackageLoader("rui_inspector"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[[str], str]] = {
        "show": _escape_markup,
        "shorten": shorten,
        "with_code": _with_code,
        "attribute": _attribute_markup,
        "json": _json_markup,
    }
    templates.filters.update(filters)
    return templates
