"""Watching the service: a line a request, numbers for Prometheus, spans for OpenTelemetry; off the hot path."""
