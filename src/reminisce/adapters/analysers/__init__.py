"""Text into search terms."""

from reminisce.adapters.analysers.default import DefaultAnalyser

__all__ = ["DefaultAnalyser"]
