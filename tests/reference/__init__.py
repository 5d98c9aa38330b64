"""A slow, plain referee: the rules a second time, with lists of card strings.

It shares no code with the harness, on purpose: two readings of one rule book that agree on every deal are
worth more than one reading tested against itself. `referee` is the module to import from.
"""
