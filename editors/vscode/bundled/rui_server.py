"""Starts the bundled language server: ``python -I -S rui_server.py``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "libs"))
sys.dont_write_bytecode = False

if __name__ == "__main__":  # The worker process imports this file.
    from rui_lsp.main import main

    sys.exit(main(sys.argv[1:]))
