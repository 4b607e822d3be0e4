"""`python -m rui_lsp`: the same as `rui lsp`."""

import sys

from rui_lsp.main import main

sys.exit(main())
