"""Where stored specs are kept, behind one small protocol."""
