"""The work that reading a broken text may take."""

import sys
from dataclasses import dataclass

LOOKAHEAD_STEPS = 3
TOKEN_STEPS = 4
BROKEN_TOKEN_STEPS = 40
REPAIR_STEPS = 60
"""The price of a token of look-ahead, a token, a token that is not JSON, and a repair.

A step takes about a microsecond at most.
"""

FULL_STEPS = 200_000
SUMMARY_STEPS = 24_000
SUMMARY_ERRORS = 1_000


@dataclass(slots=True)
class Budget:
    """Limits of one run of the recovering parser."""

    steps: int  # the steps that are left
    errors: int = sys.maxsize  # the parser stops after this number of errors

    @property
    def is_spent(self) -> bool:
        """Whether no steps are left, so that the rest of the text is not read."""
        return self.steps < 0


def full_budget(text: str) -> Budget:
    """Return a budget that reads all of a text, unless it has thousands of errors."""
    return Budget(FULL_STEPS + len(text) // 2)


def summary_budget() -> Budget:
    """Return a budget for an error response: it limits the time that a hostile text costs."""
    return Budget(SUMMARY_STEPS, SUMMARY_ERRORS)
