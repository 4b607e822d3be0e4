"""Time slices, garbage collection and the worker process."""
