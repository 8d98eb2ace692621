"""Spec → quotas → one blueprint per conversation."""
