"""Idle time, time slices and the worker process."""
