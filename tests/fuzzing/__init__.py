"""Coverage-guided fuzzing of reading, fixing, formatting and merging (see `tests.fuzzing.__main__`)."""
