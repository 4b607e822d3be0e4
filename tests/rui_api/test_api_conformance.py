"""The running service conforms to its OpenAPI document."""

from tests.rui_api.conformance import conformance
from tests.rui_api.live import Service

EXAMPLES = 1
"""Made up for each operation, besides the examples of the document and what its schemas call for."""


def test_conformance(service: Service) -> None:
    done = conformance(service.url, EXAMPLES)
    assert done.returncode == 0, done.stdout + done.stderr
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in done.stdout, done.stdout
    assert "Errors:" not in done.stdout
