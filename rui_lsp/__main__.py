"""`python -m rui_lsp`: the same as `rui lsp`."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  The editor may start any Python; older ones can run these lines.
    sys.exit("rui lsp requires Python 3.11 or newer; %s is Python %d.%d" % ((sys.executable,) + sys.version_info[:2]))  # noqa: UP031, RUF005

from rui_lsp.main import main

sys.exit(main())
