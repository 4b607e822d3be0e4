"""Generated inputs: valid and broken documents, hostile texts and bodies, and clients that follow hints."""
