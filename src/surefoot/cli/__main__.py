"""`python -m surefoot.cli`: the same command line where the `surefoot` script is not on the path.

Nothing else lives here; the entry point is `surefoot.cli.main`.
"""

import sys

from surefoot.cli.main import main

sys.exit(main())
