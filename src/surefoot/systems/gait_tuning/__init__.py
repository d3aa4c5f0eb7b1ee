"""Gait tuning: make or improve a gait by search, the way the library's own gaits were made.

`config` says what is tuned and what a good walk costs, `objective` computes the cost, `tune` searches.
"""
