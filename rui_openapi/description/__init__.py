"""What a description states: its operations, and the types and values of their responses."""
