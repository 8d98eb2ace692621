"""The blueprint factory: corpora of interrupted calls, blinded by construction."""

__version__ = "0.1.0"
