"""What torques a character applies, at the physics rate: laws as typed functions, and gaits as data.

Laws are compiled parts of the loop in `surefoot.physics`; policies that act at a control clock are in `surefoot.rollouts`.
"""
