"""The search index of one owner: pure, compact, incremental, always equal to a full scan."""
