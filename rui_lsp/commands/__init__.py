"""The commands of the server, one module each; `rui_lsp.features.execute_command` registers them.

The result of a command is for the client. The server shows the author a message or a page, as the client supports it.
"""
