"""Watching the service: a line a request, numbers for Prometheus, spans for OpenTelemetry. All of it off the hot path."""
