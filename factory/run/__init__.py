"""Run folders: append-only logs and files replaced atomically, so that a killed build goes on where it was."""
