"""Starting what other packages of this distribution do, by name, so that they are loaded only then."""

from __future__ import annotations

from rui_cli.errors import ProblemError
from rui_cli.loading import load


def start(module: str, extra: str, argv: list[str]) -> int:
    """Run `main` of a module.

    Args:
        module: its name.
        extra: the extra of this distribution that its dependencies come with.
        argv: the arguments that are passed on.

    Raises:
        ProblemError: what it needs is not installed.
    """
    try:
        main = load(module).main
    except ModuleNotFoundError as error:
        raise ProblemError(f"{error.name} is not installed: pip install 'rui-toolkit[{extra}]'") from None
    code: int = main(argv)
    return code
