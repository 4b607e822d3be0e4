"""Random inputs of the ordinary run, and new and more ones in a nightly run (``RUI_NIGHTLY=20``)."""

import datetime
import os

NIGHTLY = int(os.environ.get("RUI_NIGHTLY", "0"))
"""How many times as many inputs a nightly run takes; 0 in an ordinary run."""


def seeds(count: int) -> range:
    """Return `count` seeds: the same ones in every ordinary run. A nightly run gets those of the day, and more.

    A failing test names its seed.
    """
    if not NIGHTLY:
        return range(count)
    first = datetime.datetime.now(tz=datetime.UTC).date().toordinal() * 100_000
    return range(first, first + count * NIGHTLY)
