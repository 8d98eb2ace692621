"""One conversation's chain of calls, and the rounds that stand in it."""
