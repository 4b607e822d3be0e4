"""`python -m rui_cli` runs `rui`."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  The caller may start any Python; older ones can run these lines.
    sys.exit("rui requires Python 3.11 or newer; %s is Python %d.%d" % ((sys.executable,) + sys.version_info[:2]))  # noqa: UP031, RUF005

from rui_cli.main import run

if __name__ == "__main__":
    run()
