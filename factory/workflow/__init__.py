"""Workflow files → checked state machines: reading, proving, drawing, and texts by reference."""
