"""The commands of the server, one module each; `rui_lsp.features.execute_command` registers them.

The result of a command is for the client; what a person is to see is shown by the server, in a way that the client
supports.
"""
