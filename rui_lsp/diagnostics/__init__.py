"""Publishing and pulling of diagnostics."""
