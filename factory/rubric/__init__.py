"""Interruption → rubric and controls; digests, freeze, manifest."""
