"""The nodes of a document and the names in them."""
