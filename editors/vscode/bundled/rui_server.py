"""Starts the bundled language server: ``python -I -S rui_server.py``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "libs"))
sys.dont_write_bytecode = False

from rui_lsp.main import main  # noqa: E402  needs the path above

sys.exit(main(sys.argv[1:]))
