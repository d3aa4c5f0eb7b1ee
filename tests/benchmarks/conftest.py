"""The benchmarks are scripts beside each other, not a package: their folder joins the path."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
