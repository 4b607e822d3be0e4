"""A service with metrics, and their values."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.rui_api.live import PATIENT, Service, process
from tests.support.ports import free_port


class Numbers:
    """Parsed metrics: ``numbers("rui_requests_total", route="/api/specs")`` sums the samples with these labels."""

    def __init__(self, text: str) -> None:
        self.families = list(text_string_to_metric_families(text))

    def __call__(self, name: str, **labels: str) -> float:
        return sum(
            sample.value
            for family in self.families
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )


def numbers(port: int) -> Numbers:
    answer = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENT)
    assert answer.status_code == 200
    return Numbers(answer.text)


@contextmanager
def measured(*arguments: str) -> Iterator[tuple[Service, int]]:
    """Run `rui serve` with metrics; yield the service and the port of its metrics."""
    port = free_port()
    with process("--metrics-port", str(port), *arguments) as (_, service):
        yield service, port
