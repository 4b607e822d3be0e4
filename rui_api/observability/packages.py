"""Are the packages there that tracing needs?"""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec

NEEDED = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http.trace_exporter")


def can_trace() -> bool:
    """Whether they are."""
    with suppress(ModuleNotFoundError):
        return all(find_spec(name) is not None for name in NEEDED)
    return False
