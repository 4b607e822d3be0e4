"""What can be wrong with a document, or doubtful: each problem with what it says and what can be done about it."""
