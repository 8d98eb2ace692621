"""The embedded engine: every role from the authored workflow, by rule, without a model."""
