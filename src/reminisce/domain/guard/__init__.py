"""What a secret looks like, and where one stands in a text. Pure: rules are data, `scan` applies them."""

from typing import Final

__all__ = ["EDITION"]

EDITION: Final = "1"
"""Of the rules. One more with every change of what they find: what was made of findings before is then made anew."""
