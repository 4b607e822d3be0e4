"""Read the files of a description, resolve their references, and find the places of values in their texts."""
