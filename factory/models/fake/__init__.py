"""A server on loopback that speaks both makers' wire formats, plays what can go wrong, and answers our prompts."""
