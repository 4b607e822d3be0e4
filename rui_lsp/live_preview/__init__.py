"""The live preview: a page for a browser on this machine, which follows the text and the caret of the editor."""
