"""The data that the inspector pages show. It contains no HTML."""
