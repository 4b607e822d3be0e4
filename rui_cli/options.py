"""The options of a command: declared as data, parsed, and shown as help.

Importing `argparse` takes half as long as a bare Python start (benchmarks/startup.py). It also neither accepts options
between files nor suggests the option that a misspelling may mean.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from rui_cli.errors import UsageError
from rui_common.suggest import probably_meant

WIDTH = 100
"""Columns of the help."""

UNLIMITED = 1_000_000


class HelpRequested(Exception):  # noqa: N818  it is no error
    """``--help`` is among the arguments; the message is the help."""


class Option:
    """One option.

    Attributes:
        name: its name with dashes, such as ``--format``.
        doc: its description, for the help.
        metavar: the name of its value; ``""`` for a flag.
        choices: the allowed values; empty allows any.
        default: the default value.
    """

    __slots__ = ("choices", "default", "doc", "metavar", "name")

    def __init__(
        self, name: str, doc: str, *, metavar: str = "", choices: Iterable[str] = (), default: str = ""
    ) -> None:
        self.name = name
        self.doc = doc
        self.metavar = metavar
        self.choices = tuple(choices)
        self.default = default

    def signature(self) -> str:
        """Return its name and metavar."""
        return f"{self.name} {self.metavar}".strip()

    def description(self) -> str:
        """Return its description with choices and default."""
        text = self.doc
        if self.choices:
            text += f": {', '.join(self.choices)}"
        if self.default:
            text += f" (default: {self.default})"
        return text


class ParsedArguments:
    """The parsed arguments of a command line.

    Attributes:
        arguments: the positional arguments.
        flags: the flags that are set.
        values: the value of every option that has one; its default if the option is absent.
    """

    __slots__ = ("arguments", "flags", "values")

    def __init__(self, options: Iterable[Option]) -> None:
        self.arguments: list[str] = []
        self.flags: set[str] = set()
        self.values = {option.name: option.default for option in options if option.metavar}


class Command:
    """One command.

    Attributes:
        name: its name, such as ``check``.
        summary: its purpose, in a sentence.
        arguments: the positional arguments as in the usage line, and their description; ``("", "")`` for none.
        options: its options.
        notes: further paragraphs for the help.
        max_arguments: maximum number of positional arguments.
    """

    __slots__ = ("arguments", "max_arguments", "name", "notes", "options", "summary")

    def __init__(
        self,
        name: str,
        summary: str,
        *options: Option,
        arguments: tuple[str, str] = ("", ""),
        max_arguments: int = UNLIMITED,
        notes: str = "",
    ) -> None:
        self.name = name
        self.summary = summary
        self.options = options
        self.arguments = arguments
        self.max_arguments = max_arguments if arguments[0] else 0
        self.notes = notes

    def parse(self, argv: list[str]) -> ParsedArguments:
        """Parse the arguments after the command's name. Options may be anywhere before ``--``.

        Raises:
            UsageError: an option is unknown or lacks its value, a value is not allowed, or there are too many
                arguments.
            HelpRequested: ``-h`` or ``--help`` is among the arguments.
        """
        parsed = ParsedArguments(self.options)
        words = iter(argv)
        for word in words:
            if word == "--":
                parsed.arguments += words
            elif word == "-" or not word.startswith("-"):
                parsed.arguments.append(word)
            elif word in {"-h", "--help"}:
                raise HelpRequested(self.help())
            else:
                self._parse_option(word, words, parsed)
        if len(parsed.arguments) > self.max_arguments:
            raise UsageError(f"unexpected argument {parsed.arguments[self.max_arguments]}")
        return parsed

    def _parse_option(self, word: str, words: Iterator[str], parsed: ParsedArguments) -> None:
        name, equals, value = word.partition("=")
        option = self._option(name)
        if not option.metavar:
            if equals:
                raise UsageError(f"option {name} takes no value")
            parsed.flags.add(name)
            return
        if not equals:
            next_word = next(words, None)
            if next_word is None:
                raise UsageError(f"option {name} needs a value: {name} {'|'.join(option.choices) or option.metavar}")
            value = next_word
        if option.choices and value not in option.choices:
            allowed = ", ".join(option.choices)
            raise UsageError(f"{name} cannot be {value!r}{did_you_mean(value, option.choices)} (one of {allowed})")
        parsed.values[name] = value

    def _option(self, name: str) -> Option:
        for option in self.options:
            if option.name == name:
                return option
        raise UsageError(f"unknown option {name}{did_you_mean(name, [option.name for option in self.options])}")

    def help(self) -> str:
        """Return the text for ``--help``."""
        argument, description = self.arguments
        options = [*self.options, Option("-h, --help", "show this and exit")]
        parts = [self.summary, f"usage: rui {self.name} [OPTIONS] {argument}".rstrip()]
        if description:
            parts.append(table("Arguments", [self.arguments]))
        parts.append(table("Options", [(option.signature(), option.description()) for option in options]))
        if self.notes:
            parts.append(self.notes.strip())
        return "\n\n".join(parts) + "\n"


def table(title: str, rows: list[tuple[str, str]]) -> str:
    """Return two columns under a title; the second column is wrapped."""
    indent = min(28, 4 + max(len(left) for left, _ in rows))
    lines = [f"{title}:"]
    for left, right in rows:
        wrapped = textwrap.wrap(right, WIDTH - indent) or [""]
        if len(left) + 4 > indent:
            lines.append(f"  {left}")
        else:
            lines.append(f"  {left}".ljust(indent) + wrapped.pop(0))
        lines += [" " * indent + line for line in wrapped]
    return "\n".join(lines)


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return ``; did you mean …?`` with the closest name, or ``""`` if none is close."""
    name = probably_meant(word, names)
    if name is None:
        return ""
    return f"; did you mean {name}?"
