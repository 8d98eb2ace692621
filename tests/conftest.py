"""What holds for every test that Hypothesis draws examples for.

How long an example takes is no matter, for machines differ. The examples are the same in every run, so that a run
fails for what was changed and for nothing else; `pytest --hypothesis-profile search` looks for new ones.
"""

from hypothesis import settings

settings.register_profile("same_everywhere", deadline=None, derandomize=True, database=None)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("same_everywhere")
