"""The share card of a document: its wireframe as an image without text."""

WIDTH = 1200
HEIGHT = 630
"""The size that sites expect of a card."""
