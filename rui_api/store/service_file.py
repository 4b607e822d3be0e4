"""The connection service file of PostgreSQL, from which a URL takes the parameters of ``service=NAME``."""

import os
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from pathlib import Path


def service_parameters(name: str) -> dict[str, str]:
    """Return the parameters of a service.

    Raises:
        ValueError: no file has it, or a file cannot be read.
    """
    paths = [os.environ.get("PGSERVICEFILE") or os.path.expanduser("~/.pg_service.conf")]  # noqa: PTH111  Path raises if there is no home
    if "PGSYSCONFDIR" in os.environ:
        paths.append(f"{os.environ['PGSYSCONFDIR']}/pg_service.conf")
    for path in paths:
        parser = ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",), default_section="")
        parser.optionxform = str  # type: ignore[assignment,method-assign]  # some names have capitals
        try:
            parser.read_string(Path(path).read_text("utf-8"))
        except FileNotFoundError:
            continue
        except (OSError, ValueError, ConfigParserError) as error:
            reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
            raise ValueError(f"service={name!r:.60}: {path}: {reason}") from None
        if parser.has_section(name):
            return dict(parser[name])
    raise ValueError(f"service={name!r:.60}: there is no such service in {' and '.join(paths)}")
