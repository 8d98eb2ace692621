"""The shared records: frozen, closed, with one canonical form for digests."""
