"""Answers the editor of the front page in a process of its own."""
