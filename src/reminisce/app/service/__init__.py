"""The use cases: what every face calls. It speaks to ports, never to an adapter."""
