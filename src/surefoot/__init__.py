"""Surefoot: physics-based character control, from a typed Python function to a human that walks.

Nothing is imported here on purpose, so that `surefoot --help` answers at once: import the packages by name.
Start with `surefoot.characters` (who), `surefoot.physics` (how it moves) and `surefoot.controllers` (what torques).
"""

__version__ = "0.1.0"
