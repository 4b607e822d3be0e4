"""Reading of RUI text: strict reader, concrete syntax tree, positions, error recovery."""
