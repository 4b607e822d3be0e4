"""Tasks for agents, and a scorer of the RUIs that they store; see README.md in this folder."""
