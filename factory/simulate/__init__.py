"""Blueprint → conversation, round by round: views, roles, the cut."""
