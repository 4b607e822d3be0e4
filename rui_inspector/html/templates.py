"""The environment of the templates: every text that they show is escaped."""

import re
from collections.abc import Callable
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rui_common.syntax.paths import format_path
from rui_common.versions.sentences import Mark, capitalized, parts, plain
from rui_inspector.escape import escape, escape_attribute, excerpt
from rui_inspector.model.problems import grouped

PRODUCT = "RUI toolkit"  # the name of the product, in titles and above every page


def _with_code(text: str) -> str:
    """Return a text as HTML, with the parts between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _sentence(text: str) -> str:
    """Return a sentence about a change as HTML."""
    forms = {Mark.NAME: '<strong dir="auto">{}</strong>', Mark.CODE: "<code>{}</code>", Mark.PLAIN: "{}"}
    return "".join([forms[mark].format(escape(part)) for mark, part in parts(text)])


def _safe(write: Callable[[str], str]) -> Callable[[str], Markup]:
    """Return a filter from a function that returns HTML."""
    return lambda text: Markup(write(text))  # noqa: S704  it is escaped


@cache
def environment() -> Environment:
    templates = Environment(
        loader=PackageLoader("rui_inspector"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(product=PRODUCT)
    templates.filters.update(
        show=_safe(escape), attribute=_safe(escape_attribute), with_code=_safe(_with_code),
        sentence=_safe(_sentence), plain=plain, capitalized=capitalized, excerpt=excerpt, grouped=grouped,
        path=format_path,
    )  # fmt: skip
    return templates
