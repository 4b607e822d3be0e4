"""Logs, and metrics for Prometheus."""
