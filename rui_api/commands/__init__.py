"""The commands `rui serve` and `rui store`."""
