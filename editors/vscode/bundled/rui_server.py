"""Starts the language server that lies beside this file; run as ``python -I -S rui_server.py``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "libs"))
sys.dont_write_bytecode = False

from rui_lsp.main import main  # noqa: E402  it has to be found first

sys.exit(main(sys.argv[1:]))
