"""The vocabulary and rules of RUI 0.1 as data, and lookups in them."""
