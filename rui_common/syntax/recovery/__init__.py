"""The parts of `parser`, which reads broken text. Nothing else uses them, and sound text never does.

tokens      a tolerant lexer: text → tokens, with what is wrong with each
quotes      broken strings: where they were meant to end
words       words that are no JSON: `True`, `01`, names without quotes
layout      indentation as evidence
repairs     the changes that may be meant where a token cannot stand, tried ahead on the tokens
hindsight   the same for what was read already
frames      one object or array that is open
builder     tokens → values, members, faults and damage, all of which can be taken back
complaints  words for the changes
"""
