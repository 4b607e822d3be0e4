"""The commands of the server, one module each with ``run(workspace, arguments)``; a coroutine, too.

`execute_command` says which there are. What a command gives back is for clients that do something with it;
what a person is to see is shown by the server itself, in whatever way the client can.
"""
