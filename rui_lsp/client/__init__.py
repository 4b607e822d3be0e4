"""Client capabilities, settings, positions and progress."""
