"""The MCP face: tools over stdio."""
