"""`python -m engine`: the engine for people and scripts."""

import sys

from engine.cli import main

sys.exit(main(sys.argv[1:]))
