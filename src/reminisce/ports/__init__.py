"""What reminisce needs from outside, as promises: stores, analysers, clocks, identifiers."""
