"""``python -m reminisce``."""

import sys

from reminisce.app.cli import main

if __name__ == "__main__":
    sys.exit(main())
