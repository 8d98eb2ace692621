"""The flow graph of a conversation, and the paths that lead through it."""
