"""The preview of a document, with the pages of the inspector."""
