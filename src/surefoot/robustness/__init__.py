"""The lab: how much a controller bears, as success rates and tolerated forces with intervals.

`tolerance` has the statistics; protocols that push, tilt and disturb any controller come beside it.
"""
