"""Run the command line as ``python -m fewlabels``."""

import sys

from fewlabels.cli import main

if __name__ == "__main__":
    sys.exit(main())
