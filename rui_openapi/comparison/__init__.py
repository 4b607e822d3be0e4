"""Compare the bindings of a document with a description."""
