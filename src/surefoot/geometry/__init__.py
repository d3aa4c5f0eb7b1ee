"""Array mathematics of rotations, frames and curves, callable from Python and from compiled laws.

Nothing here knows a character, a simulation or a file.
"""
