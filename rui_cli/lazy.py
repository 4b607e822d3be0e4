"""Import modules when they are needed, by name."""

from __future__ import annotations

import sys
from typing import Any

from rui_cli.errors import OperationalError


def import_attr(module: str, name: str) -> Any:  # noqa: ANN401  any attribute
    """Return an attribute of a module. `importlib` is avoided, as importing it takes longer than a small module."""
    __import__(module)
    return getattr(sys.modules[module], name)


def run(module: str, extra: str, argv: list[str]) -> int:
    """Run `main` of a module of another package.

    Args:
        module: the name of the module.
        extra: the extra of this distribution that installs its dependencies.
        argv: the arguments to pass on.

    Raises:
        OperationalError: a dependency is not installed.
    """
    try:
        main = import_attr(module, "main")
    except ModuleNotFoundError as error:
        raise OperationalError(f"{error.name} is not installed: pip install 'rui-toolkit[{extra}]'") from None
    code: int = main(argv)
    return code
