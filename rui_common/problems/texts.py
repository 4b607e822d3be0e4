"""Doubtful texts: placeholders, lost characters, templates of other systems, paths and keys that find nothing.

Each lint has the roles of the properties in whose texts it is searched. `rui_common.problems.lints` has their order:
the first one that is found counts.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

from rui_common.nodes.node import Node
from rui_common.problems.finding import Lint, LintRule
from rui_common.problems.operations import RenameName, SetValue
from rui_common.problems.suggestion import GIST, Suggestion, fact
from rui_common.syntax.paths import property_name
from rui_common.vocabulary.schema import Prop, Role

MAX_TEXT = 4_000  # characters of a text up to which it is corrected, and of a path in which `UnfilledPath` searches

LABELS = frozenset({Role.LABEL, Role.DESCRIPTION})
"""The roles of titles, labels and descriptions."""


class TextLint(Lint):
    """A doubtful text of a registered or suggested property. Without `meant` it has no fix.

    Each string with one of the `roles` is searched, in the order of `TEXT_LINTS`: a text has one of them at most. One
    with a syntax error has none.
    """

    roles: ClassVar[frozenset[Role | None]]  # the roles of the properties in whose texts it is searched

    def __init__(self, node: Node, prop: Prop, value: str, meant: str = "", *, is_certain: bool = False) -> None:
        super().__init__(node, prop.name)
        self.declared = prop
        self.value = value  # the part of the text, or the name, that the message repeats
        self.meant = meant  # the text that is probably meant, or ``""``
        self.is_certain = is_certain  # whether no other text can be meant

    @classmethod
    @abstractmethod
    def find(cls, node: Node, prop: Prop, text: str) -> TextLint | None:
        """Return the lint of a text; None if it has none."""

    def values(self) -> dict[str, str]:
        return {"prop": property_name(self.path), "value": self.value}

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest the text that is meant, if there is one."""
        if self.meant:
            operation = RenameName if self.declared.defines is not None else SetValue
            yield Suggestion(GIST, (operation(self.path, self.meant),), is_safe=self.is_certain)


class Placeholder(TextLint):
    """The placeholder that a fix has inserted, or what a signature shows in place of a text."""

    about = LintRule(
        code="PLACEHOLDER",
        condition="A property has the placeholder of a fix, or a text that is copied from a signature.",
        message='"{prop}" is still a placeholder.',
        hint="Replace it with the actual value.",
        why="Only the author knows where data comes from. A fix that adds a binding inserts `/TODO` and `TODO`, which "
        "are valid, but the request would fail. A second column gets the key `TODO-2`. The signatures show `/…` "
        "and `a.b` in place of a path and a value path.",
    )
    roles = frozenset({None, *Role})

    @classmethod
    def find(cls, node: Node, prop: Prop, text: str) -> TextLint | None:
        if prop.is_placeholder(text) and prop.kind.accepts(text):
            return cls(node, prop, prop.name)
        return None

    def suggestions(self) -> Iterator[Suggestion]:
        yield fact(self.declared.doc)


class LostCharacter(TextLint):
    """U+FFFD, which programs write in place of bytes that they cannot read, as of a Latin-1 file read as UTF-8."""

    about = LintRule(
        code="LOST_CHARACTER",
        condition="A path, a key, a label, an option or a static text has lost a character.",
        message='"{value}" has lost a character.',
        hint="Write the character that belongs in place of U+FFFD.",
        why="A program that reads a file in another encoding than its own writes U+FFFD in place of what it cannot "
        "read. Open the file in its own encoding, such as Windows-1252, and save it as UTF-8.",
        wrong='{"meta": {"title": "Caf\ufffd"}}',
        right='{"meta": {"title": "Caf\u00e9"}}',
    )
    roles = LABELS | {Role.ENDPOINT, Role.FIELD, Role.CONTENT, Role.OPTION}

    @classmethod
    def find(cls, node: Node, prop: Prop, text: str) -> TextLint | None:
        """Return the lint, which names the text from the word with the lost character on."""
        lost = text.find(_LOST)
        if lost < 0:
            return None
        return cls(node, prop, text[text.rfind(" ", 0, lost) + 1 :])


_LOST = "\ufffd"
_ESCAPED_LOST = re.compile(r"\\u[fF]{3}[dD]")


def may_have_lost_characters(text: str) -> bool:
    """Return whether the text of a document contains U+FFFD, perhaps in escapes."""
    return _LOST in text or ("\\" in text and _ESCAPED_LOST.search(text) is not None)


class Template(TextLint):
    """A template of another system: ``{{ name }}``, ``${name}``, ``{% if %}``, ``<%= name %>`` or ``$name``."""

    about = LintRule(
        code="TEMPLATE",
        condition="A path, a key, a label or a static text contains a template of another system.",
        message='"{value}" is not replaced by a value.',
        hint="Write it without the template; a value of the response needs a block of its own.",
        why="RUI has no templates: `{{ name }}`, `${name}`, `{% if %}` and `$name` would be requested, or shown, as "
        "they are.",
    )
    roles = LABELS | {Role.ENDPOINT, Role.FIELD, Role.CONTENT}

    _MARKS = re.compile(r"\{\{|\$\{|\{%|<%|(?<![\w$?&])\$[A-Za-z_]")  # no query such as ``?$top=5``
    _MARKS_IN_LABEL = re.compile(r"\{\{|\$\{|\{%|<%")  # labels name currencies and shares, such as ``$M``

    @classmethod
    def find(cls, node: Node, prop: Prop, text: str) -> TextLint | None:
        """Return the lint, which names the text from the first mark of a template on."""
        marks = cls._MARKS_IN_LABEL if prop.role in LABELS else cls._MARKS
        mark = marks.search(text)
        if mark is None:
            return None
        return cls(node, prop, text[mark.start() :])


class Markup(TextLint):
    """Markdown, HTML or an entity in a text that a page shows as it is. Its fix is never safe."""

    about = LintRule(
        code="MARKUP",
        condition="A label or a static text contains Markdown, HTML or an entity.",
        message='"{value}" is shown as it is.',
        hint="Write plain text: pages show neither Markdown nor HTML.",
        why="Labels and the content of a Text are plain text. A reader would see `**now**`, `<b>now</b>` or `&amp;`. A "
        "heading is the title of a Section, a list of data a Table.",
        wrong='{"id": "note", "type": "Text", "content": "Orders are **final**."}',
        right='{"id": "note", "type": "Text", "content": "Orders are final."}',
    )
    roles = LABELS | {Role.CONTENT}

    _MARKUP = re.compile(
        r"""
        (?<![\w*]) (?P<stars>\*{1,3}) (?=[^\s*]) (?P<strong>[^*\n]{1,200}) (?<=\S) (?P=stars) (?![\w*])  # **now**
        | !?\[ (?P<link>[^\[\]\n]{1,200}) \] \( (?P<url>(?:https?:|mailto:|[/#.])[^()\s]{0,500}) \)
        | (?<!`) ` (?P<code>[^`\n]{1,200}) ` (?!`)
        | ^ (?:\#{2,6} [ ] | \# [ ] (?=[^\n]*\n)) (?=\S)
        | ^ ```
        | </? (?P<tag>a|b|br|code|div|em|h[1-6]|hr|i|img|li|ol|p|pre|small|span|strong|sub|sup|table|t[dhr]|u|ul)
          (?:\s+[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"'<>]+))* \s*/?>
        | (?P<entity>&(?:amp|lt|gt|quot|apos|nbsp|[lr][sd]quo|[nm]dash|hellip|copy|euro|\#\d{1,6}|\#x[\da-f]{1,5});)
        """,
        re.VERBOSE | re.MULTILINE | re.IGNORECASE,
    )

    @classmethod
    def find(cls, node: Node, prop: Prop, text: str) -> TextLint | None:
        """Return the lint, which names the first mark-up and suggests the text without any."""
        markup = cls._MARKUP.search(text)
        if markup is None:
            return None
        plain = cls._MARKUP.sub(cls._plain, text).strip() if len(text) <= MAX_TEXT else ""
        return cls(node, prop, markup[0].strip(), plain if cls._MARKUP.search(plain) is None else "")

    @staticmethod
    def _plain(markup: re.Match[str]) -> str:
        """Return the words of a mark-up; an address in parentheses."""
        from html import unescape  # its table of entities takes 3 ms of each start

        if markup["link"] is not None:
            return f"{markup['link']} ({markup['url']})"
        if (markup["tag"] or "").lower() == "br":
            return "\n"
        return unescape(markup["strong"] or markup["code"] or markup["entity"] or "")


# Paths ----------------------------------------------------------------------------------------------------------------


class PathLint(TextLint):
    """A path of a binding that is valid, and that no API answers."""

    roles = frozenset({Role.ENDPOINT})

    @classmethod
    def find(cls, node: Node, prop: Prop, text: str) -> TextLint | None:
        """Return the lint of a path. One without a leading slash is an error."""
        return cls._find(node, prop, text) if text.startswith("/") else None

    @classmethod
    @abstractmethod
    def _find(cls, node: Node, prop: Prop, path: str) -> TextLint | None: ...


class UnfilledPath(PathLint):
    """A part of a path that other systems replace by a value."""

    about = LintRule(
        code="UNFILLED_PATH",
        condition="A path contains a part that other systems replace by a value.",
        message='A path is sent as it is: "{value}" is not filled in.',
        hint="Use a path without it, such as that of the list, or write the value.",
        why="RUI has no parameters: `/orders/{id}`, `/orders/:id` and `/orders/<id>` would be requested as they are, "
        "whether or not an OpenAPI description has this path.",
        wrong='{"path": "/orders/{id}"}',
        right='{"path": "/orders"}',
    )

    _PART = re.compile(
        r"""
        \{ [?&;./+]? [\w.,*-]* \}          # {id}, {?page}: OpenAPI, RFC 6570
        | \$ \( [^()/]* \)                 # $(name)
        | < [^<>/]* >                      # <id>
        | %7B [^%/]* %7D                   # {id}, percent-encoded
        | (?<=[/=]) : [A-Za-z_]\w* (?=[/?&\#]|$)  # :id, but no verb such as /orders:cancel
        | (?<=/) \[ [^\[\]/]* \] (?=[/?\#]|$)     # [id]
        """,
        re.VERBOSE | re.IGNORECASE,
    )

    @classmethod
    def _find(cls, node: Node, prop: Prop, path: str) -> TextLint | None:
        for part in cls._PART.finditer(path, 0, MAX_TEXT):
            is_in_query = "?" in path[: part.start()]
            is_whole_value = path[part.start() - 1] in "=&" and path[part.end() : part.end() + 1] in "&#"
            if not is_in_query or is_whole_value:
                return cls(node, prop, part[0])
        return None


class HostInPath(PathLint):
    """The host at the start of a path: ``//host``, or ``/https://host``."""

    about = LintRule(
        code="HOST_IN_PATH",
        condition="A path begins with a host.",
        message='The path begins with a host: "{value}".',
        hint="Remove it: the path belongs to the app's own API, and begins after the host.",
        why="A client reads what follows `//` as the name of another host, or requests it as a part of the path.",
        wrong='{"path": "//api.example.com/orders"}',
        right='{"path": "/orders"}',
    )

    _HOST = re.compile(r"//[^/?#]*|/[a-z][a-z0-9+.-]*:/+[^/?#]*", re.IGNORECASE)

    @classmethod
    def _find(cls, node: Node, prop: Prop, path: str) -> TextLint | None:
        host = cls._HOST.match(path)
        if host is None:
            return None
        return cls(node, prop, host[0], f"/{path[host.end() :].removeprefix('/')}")


class Fragment(PathLint):
    """The part of an address after ``#``."""

    about = LintRule(
        code="FRAGMENT",
        condition="The path of a request has a fragment.",
        message='"{value}" is not part of a request.',
        hint="Remove it; `valuePath` selects a part of the response.",
        why="A client never sends the part of an address after `#`.",
    )

    @classmethod
    def _find(cls, node: Node, prop: Prop, path: str) -> TextLint | None:
        if "#" not in path:
            return None
        return cls(node, prop, path[path.index("#") :])


class PathCharacter(PathLint):
    """A character that a URL contains percent-encoded only (RFC 3986). Clients encode what is not ASCII."""

    about = LintRule(
        code="PATH_CHARACTER",
        condition="A path contains a character that a URL does not.",
        message="A URL does not contain {value}.",
        hint="Write it percent-encoded, such as %20 for a space.",
        why="Clients treat such a character differently: some encode it, some refuse the request, some cut the path.",
        wrong='{"path": "/open orders"}',
        right='{"path": "/open%20orders"}',
    )

    _CHARACTER = re.compile(r"""[\x00-\x20\x7f"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})""")

    @classmethod
    def _find(cls, node: Node, prop: Prop, path: str) -> TextLint | None:
        wrong = cls._CHARACTER.search(path)
        if wrong is None:
            return None
        encoded = ""
        if len(path) <= MAX_TEXT:
            encoded = cls._CHARACTER.sub(lambda match: f"%{ord(match[0]):02X}", path.strip())
        return cls(node, prop, cls._in_words(wrong[0]), encoded, is_certain=True)

    @staticmethod
    def _in_words(character: str) -> str:
        if not character.isprintable():
            return "a control character"
        words = {" ": "a space", "%": '"%" without two hexadecimal digits', '"': '`"`'}
        return words.get(character, f'"{character}"')


# Keys -----------------------------------------------------------------------------------------------------------------


class KeyPath(TextLint):
    """A key with what the name of one property hardly contains: the marks of paths, or white space around it."""

    about = LintRule(
        code="KEY_PATH",
        condition="The key of a column is empty, has space around it, or is a path.",
        message='A key is the name of one property of a row, not "{value}".',
        hint="Write the name alone: the block shows properties of the row itself.",
        why="A row is an element of the list that `valuePath` selects, and a column shows the property that its key "
        "names. What is deeper in the row is not found.",
        wrong='{"key": "$.status"}',
        right='{"key": "status"}',
    )
    roles = frozenset({Role.FIELD})

    _MARKS = re.compile(r"[./\[\]]|^\$|^\s|\s\Z|^\Z")

    @classmethod
    def find(cls, node: Node, prop: Prop, text: str) -> TextLint | None:
        if cls._MARKS.search(text) is None:
            return None
        name = text.strip().removeprefix("$.")
        if name == text or cls._MARKS.search(name) is not None:
            name = ""
        return cls(node, prop, text, name, is_certain=True)


# Plain texts ----------------------------------------------------------------------------------------------------------

_PLAIN_TEXT = re.compile(r"[^{$%<\ufffd*\[#&`]*")
_PLAIN_PATH = re.compile(r"""/(?!/)[^\x00-\x20\x7f"#$%:<>\[\\^`{|}\ufffd]*""")


def is_plain(role: Role | None) -> Callable[[str], object]:
    """Return what matches nearly all texts of a role, and none that has a lint but a placeholder.

    It saves the search for each lint. What a new lint finds must not be plain.
    """
    if role is Role.ENDPOINT:
        return _PLAIN_PATH.fullmatch
    if role is Role.FIELD:
        return str.isidentifier
    return _PLAIN_TEXT.fullmatch
