"""`python -m rui_cli` runs `rui`."""

from __future__ import annotations

import sys

from rui_cli.main import main

if __name__ == "__main__":
    sys.exit(main())
