"""How good the calls of a finished run are, in numbers."""
