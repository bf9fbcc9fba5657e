"""A table for people: the command line, the terminal, measurements."""
