"""Compare two documents: what changes for the data, for the screens and for each node, without HTML."""
