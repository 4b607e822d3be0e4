"""The command line of one command: argparse with errors in one line and options between files."""

import re
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from functools import partial
from typing import NoReturn

from rui_cli.errors import UsageError
from rui_cli.files import STDIN, STDIN_PATHS
from rui_common.suggest import did_you_mean
from rui_common.texts import EMPTY_ARGUMENT

_OPTION = re.compile(r"--[a-z-]+")


class Parser(ArgumentParser):
    """The parser of one command.

    Args:
        name, summary: name and purpose of the command.
        arguments: its positional arguments for the usage line; ``""`` for none.
        max_arguments: their maximum number; None for any.
        notes: further paragraphs for the help.
    """

    def __init__(
        self, name: str, summary: str, arguments: str = "", *, max_arguments: int | None = None, notes: str = ""
    ) -> None:
        super().__init__(
            usage=f"rui {name} [OPTIONS] {arguments}".rstrip(),
            description=summary,
            epilog=notes,
            formatter_class=partial(RawDescriptionHelpFormatter, width=100),
            allow_abbrev=False,
        )
        self._max_arguments = max_arguments if arguments else 0

    def add_stdin_filename(self) -> None:
        """Add the option for the name of standard input."""
        self.add_argument(
            "--stdin-filename", metavar="NAME", default="",
            help="the name of standard input (-) in messages; the file need not exist",
        )  # fmt: skip

    def add_no_exclude(self) -> None:
        """Add the option for the documents that a `rui.toml` excludes."""
        self.add_argument("--no-exclude", action="store_true", help="include the documents that a rui.toml excludes")

    def parse(self, argv: list[str]) -> Namespace:
        """Return the options, and the positional arguments as ``files``. Words after ``--`` are no options.

        Raises:
            UsageError: the command line is invalid.
            SystemExit: ``-h`` or ``--help`` is among the arguments, and the help is written.
        """
        end = argv.index("--") if "--" in argv else len(argv)
        args, words = self.parse_known_args(argv[:end])
        for word in words:
            if word.startswith("-") and word != "-":
                name = word.partition("=")[0]
                raise UsageError(f"unknown option {name}{did_you_mean(name, _OPTION.findall(self.format_help()))}")
        names = [*words, *argv[end + 1 :]]
        if "" in names:
            raise UsageError(EMPTY_ARGUMENT)
        args.files = [STDIN if name in STDIN_PATHS else name for name in names]
        if self._max_arguments is not None and len(args.files) > self._max_arguments:
            raise UsageError(f"unexpected argument {args.files[self._max_arguments]}")
        if getattr(args, "stdin_filename", "") and STDIN not in args.files:
            raise UsageError("--stdin-filename needs standard input, -, as a file")
        return args

    def error(self, message: str) -> NoReturn:
        """Raise UsageError; argparse would write several lines and exit."""
        raise UsageError(message)
