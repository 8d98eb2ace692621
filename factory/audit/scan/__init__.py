"""The content scan: what a caller says, against what they had not heard, from published texts alone."""
