"""Of the reference's checks A to P those that code can decide, on finished conversations."""
