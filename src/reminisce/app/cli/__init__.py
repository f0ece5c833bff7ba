"""The command line."""

from reminisce.app.cli.main import main

__all__ = ["main"]
