"""What holds for every test: how long an example of Hypothesis takes is no matter, for machines differ."""

from hypothesis import settings

settings.register_profile("any_machine", deadline=None)
settings.load_profile("any_machine")
