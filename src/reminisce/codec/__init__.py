"""Answers as plain data, the same for every face: what the command line prints and MCP sends."""

from reminisce.codec.plain import to_json, to_plain, written_bytes

__all__ = ["to_json", "to_plain", "written_bytes"]
