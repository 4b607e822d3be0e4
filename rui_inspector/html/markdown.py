"""Write Markdown as HTML: pages of the reference, and hover texts.

In a page, a heading of the second level is an anchor, such as ``Table`` or ``POST-api-validate``, and so is a row that
begins with code, such as ``Table.columns``. Code that names an anchor of its page links to it.
"""

# ruff: noqa: ARG002  the methods have the parameters of RendererHTML

import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from rui_inspector.escape import escape, escape_attribute

Env = MutableMapping[str, Any]


class Html(NamedTuple):
    """A page."""

    title: str
    contents: list[tuple[str, str]]  # the anchors of its sections, each with the heading
    body: str  # its HTML, with the heading


def hover_html(markdown: str) -> str:
    """Return the HTML of a hover text, which may contain words of the document."""
    html: str = _parser.render(markdown, _env({}))
    return html


def page_html(markdown: str, urls: Mapping[str, str]) -> Html:
    """Return a page as HTML; raw HTML in it becomes text.

    Args:
        markdown: the page, which begins with its title. ```` ```json TITLE ```` is an example that is folded.
        urls: the addresses that links between files have here.
    """
    env = _env(urls)
    tokens = _parser.parse(markdown, env)
    title = tokens[1].content
    contents = []
    section = ""
    for token, following, content in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.type == "heading_open" and token.tag == "h2":
            section = re.sub(r"[^\w.]+", "-", following.content).strip("-")
            contents.append((section, following.content))
            token.attrSet("id", section)
        elif token.type == "tr_open" and [child.type for child in content.children or ()] == ["code_inline"]:
            token.attrSet("id", f"{section}.{content.content.strip('`')}")
    env["anchors"] = {token.attrs["id"] for token in tokens if "id" in token.attrs}
    return Html(title, contents, _parser.renderer.render(tokens, _parser.options, env))


def _env(urls: Mapping[str, str]) -> Env:
    """Return what the renderer knows: addresses, anchors of the page, and the heading before a block."""
    return {"urls": urls, "anchors": set(), "heading": ""}


class _Parser(MarkdownIt):
    """Reads Markdown without raw HTML and images, and whose links lead to this host: others remain text."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False, "xhtmlOut": False}, renderer_cls=_Renderer)
        self.enable("table").disable("image")

    def validateLink(self, url: str) -> bool:  # noqa: N802  its name in the library
        return not url.startswith("//") and ":" not in url


class _Renderer(RendererHTML):
    """Escapes as the other pages do; blocks that may be wider than the page scroll, and have a name."""

    def text(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return escape(tokens[index].content)

    def code_inline(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        html = f"<code>{escape(tokens[index].content)}</code>"
        if tokens[index].content in env["anchors"]:
            return f'<a href="#{escape_attribute(tokens[index].content)}">{html}</a>'
        return html

    def heading_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        env["heading"] = escape_attribute(tokens[index + 1].content)
        return self.renderToken(tokens, index, options, env)

    def heading_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        anchor = tokens[index - 2].attrGet("id")
        link = f' <a class="self" href="#{anchor}" aria-label="Link to {env["heading"]}">#</a>' if anchor else ""
        return link + self.renderToken(tokens, index, options, env)

    def link_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        href = str(tokens[index].attrGet("href"))
        tokens[index].attrSet("href", env["urls"].get(href, href))
        return self.renderToken(tokens, index, options, env)

    def table_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return f'<div class="wide" tabindex="0" role="group" aria-label="Table: {env["heading"]}"><table>'

    def table_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return "</table></div>"

    def fence(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        title = escape_attribute(tokens[index].info.partition(" ")[2])
        text = escape(tokens[index].content.removesuffix("\n"))
        label = f'tabindex="0" role="group" aria-label="{title or env["heading"]}"'
        language = escape_attribute(tokens[index].info.partition(" ")[0])
        html = f'<pre class="{language} sample" {label}><code>{text}</code></pre>'
        if title:
            return f'<details class="example"><summary>{title}</summary>{html}</details>'
        return html


_parser = _Parser()
