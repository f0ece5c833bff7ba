"""What a secret looks like, and where one stands in a text. Pure: rules are data, `scan` applies them."""
