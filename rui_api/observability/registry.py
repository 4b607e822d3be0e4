"""The registry of the metrics of all processes. `rui_api.observability.metrics` sets `FOLDER` before its import."""

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, Metric
from prometheus_client.registry import RestrictedRegistry


class Registry(CollectorRegistry):
    """A registry that learns the names of its metrics only from their values, as those are in files.

    So prometheus_client would find none for ``/metrics?name[]=rui_requests_total``.
    """

    def restricted_registry(self, names: Iterable[str]) -> RestrictedRegistry:
        """Return the metrics with certain names, their own or those of their samples."""
        return _Named(names, self)


class _Named(RestrictedRegistry):
    def collect(self) -> Iterator[Metric]:
        for metric in self._registry.collect():
            if metric.name in self._name_set or any(sample.name in self._name_set for sample in metric.samples):
                yield metric
