"""The contract suite for stores, for people who write their own. `docs/design.md` says how to use it."""
