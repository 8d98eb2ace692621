"""Text, cuts and voices → calls: who sounds when, on two channels, and what tools outside read of it."""
