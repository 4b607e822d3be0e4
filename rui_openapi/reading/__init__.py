"""Read the files of a description, and resolve their references."""
