"""The share card of a document: its wireframe as an image without text."""
