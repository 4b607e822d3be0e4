"""Benchmarks: one file a question, each against a peer in the same run; `make bench` prints their ratios."""
