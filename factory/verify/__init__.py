"""The reference's checks A to P, as far as code can decide them, on finished rounds and conversations."""
