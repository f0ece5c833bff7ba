"""Use cases, their wiring, and the faces: command line and MCP."""
