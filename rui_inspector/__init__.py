"""A stored document as a page that a person can read: document → view tree → HTML."""
