"""The error-tolerant parser. Only broken texts load it.

parser        reads a text and repairs it
budget        the limits of its work
builder       tokens → values, members, errors and incomplete values
containers    the stack: objects and arrays that are open
tokens        the records of tokens
grammar       JSON's grammar as a table
repairs       repairs at a token that the grammar does not accept, and the look-ahead that chooses one
lexer         text → tokens, with their errors
strings       the lexer of broken strings
literals      the lexer of words and numbers
envelope      Markdown fences and prose around a document
repair_faults the faults that repairs report, with their edits
"""
