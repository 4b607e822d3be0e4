"""Tasks for agents, and a scorer for what they stored; see README.md in this folder."""
