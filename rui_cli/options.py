"""The options of a command: declared as data, read, and shown as help.

`argparse` does the same and costs half of a bare Python start to import and set up (benchmarks/startup.py); and it
neither takes options between files nor says which option was meant.
"""

from __future__ import annotations

from rui_cli.errors import UsageError
from rui_common.suggest import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH = 100


class HelpRequested(Exception):  # noqa: N818  it is no error
    """``--help`` was among the arguments."""


class Option:
    """One option.

    Attributes:
        name: with its dashes: ``--format``.
        doc: what it does, for the help.
        metavar: what its value is called; ``""`` if it takes none.
        choices: the values that it may have; any if empty.
        default: the value without it.
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


class Given:
    """What a command line says.

    Attributes:
        arguments: what is no option, in order.
        flags: the options without a value that are there.
        values: the value of every option that takes one, its default included.
    """

    __slots__ = ("arguments", "flags", "values")

    def __init__(self, options: Iterable[Option]) -> None:
        self.arguments: list[str] = []
        self.flags: set[str] = set()
        self.values = {option.name: option.default for option in options if option.metavar}


class Command:
    """One command.

    Attributes:
        name: how it is called: ``check``.
        summary: what it does, in a sentence.
        arguments: how its arguments are written in the usage line, with a sentence about them; ``("", "")`` if it
            has none.
        options: its options.
        notes: what else there is to know, in paragraphs; shown as they are.
        most: so many arguments at most.
    """

    __slots__ = ("arguments", "most", "name", "notes", "options", "summary")

    def __init__(
        self,
        name: str,
        summary: str,
        *options: Option,
        arguments: tuple[str, str] = ("", ""),
        most: int = 1_000_000,
        notes: str = "",
    ) -> None:
        self.name = name
        self.summary = summary
        self.options = options
        self.arguments = arguments
        self.most = most if arguments[0] else 0
        self.notes = notes

    def read(self, argv: list[str]) -> Given:
        """Read the arguments behind the command's name. Options may stand anywhere before a ``--``.

        Raises:
            UsageError: an option is unknown or lacks its value, a value is not among the choices, or there are too
                many arguments.
            HelpRequested: ``-h`` or ``--help`` is there.
        """
        given = Given(self.options)
        rest = iter(argv)
        for word in rest:
            if word == "--":
                given.arguments += rest
            elif word == "-" or not word.startswith("-"):
                given.arguments.append(word)
            elif word in {"-h", "--help"}:
                raise HelpRequested
            else:
                self._take(word, rest, given)
        if len(given.arguments) > self.most:
            raise UsageError(f"unexpected argument {given.arguments[self.most]}")
        return given

    def _take(self, word: str, rest: Iterable[str], given: Given) -> None:
        name, equals, value = word.partition("=")
        option = next((option for option in self.options if option.name == name), None)
        if option is None:
            raise UsageError(f"unknown option {name}{meant(name, (option.name for option in self.options))}")
        if not option.metavar:
            if equals:
                raise UsageError(f"option {name} takes no value")
            given.flags.add(name)
            return
        if not equals:
            following = next(iter(rest), None)
            if following is None:
                raise UsageError(f"option {name} needs a value: {name} {_value_of(option)}")
            value = following
        if option.choices and value not in option.choices:
            allowed = ", ".join(option.choices)
            raise UsageError(f"{name} cannot be {value!r}{meant(value, option.choices)} (one of {allowed})")
        given.values[name] = value

    def help(self) -> str:
        """The page that ``--help`` shows."""
        options = [*self.options, Option("-h, --help", "show this and exit")]
        usage = f"usage: rui {self.name}" + "".join(f" {word}" for word in ("[OPTIONS]", self.arguments[0]) if word)
        parts = [self.summary, usage]
        if self.arguments[1]:
            parts.append(table("Arguments", [self.arguments]))
        parts.append(table("Options", [(_signature(option), _described(option)) for option in options]))
        return "\n\n".join(part for part in (*parts, self.notes.strip()) if part) + "\n"


def table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Two columns under a title, the second one wrapped."""
    import textwrap  # noqa: PLC0415  only for help

    rows = list(rows)
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


def meant(word: str, names: Iterable[str]) -> str:
    """``; did you mean …?``, or nothing if that is anybody's guess."""
    name = nearest(word, names)
    return "" if name is None else f"; did you mean {name}?"


def _signature(option: Option) -> str:
    return f"{option.name} {option.metavar}" if option.metavar else option.name


def _value_of(option: Option) -> str:
    return "|".join(option.choices) or option.metavar


def _described(option: Option) -> str:
    choices = f": {', '.join(option.choices)}" if option.choices else ""
    default = f" (default: {option.default})" if option.default else ""
    return f"{option.doc}{choices}{default}"
