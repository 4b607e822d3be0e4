"""Two versions of a document: which elements are the same, and what changes for the user of the app."""
