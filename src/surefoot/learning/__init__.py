"""Algorithms that know no physics: they see arrays, answer with arrays and open no file.

`search` asks for candidates and is told their costs. What a candidate means is decided in `surefoot.systems`.
"""
