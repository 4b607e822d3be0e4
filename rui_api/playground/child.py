"""What the playground process does with a message: it makes an answer for the page.

A message is JSON: the action, the text, and the two positions of the selection. An answer is the JSON for the page, or
empty if the action failed.
"""

from __future__ import annotations

import json
import sys
import traceback

from rui_inspector.html.playground import Selection, answer


def answer_message(message: bytes) -> bytes:
    """Return the answer to a message."""
    try:
        action, text, start, end = json.loads(message)
        return json.dumps(answer(action, text, Selection(tuple(start), tuple(end))), separators=(",", ":")).encode()
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return b""
