"""Settings of hypothesis for all tests: the same examples in every run, and no deadline, for machines may be busy."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "rui",
    derandomize=True,
    deadline=None,
    max_examples=100,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("rui")
