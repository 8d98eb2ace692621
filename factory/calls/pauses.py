"""How long a side waits before it speaks, as people on the telephone do."""

import math
import random

SOURCE = (
    'Norwine and Murphy, "Characteristic time intervals in telephonic conversation", '
    "Bell System Technical Journal 17, 1938"
)
"""Whose measurements the pauses follow."""

MEDIAN_S = 0.320
"""Median response time in telephone calls (`SOURCE`, as Heldner and Edlund give it; see `draw_pause_s`)."""

MEAN_S = 0.410
"""Mean response time in the same calls."""

LEAST_S = 0.05
"""The shortest pause; the distribution has 0.4 % below."""

MOST_S = 2.0
"""The longest pause; the distribution has 0.5 % above."""

_SIGMA = math.sqrt(2 * math.log(MEAN_S / MEDIAN_S))


def draw_pause_s(rng: random.Random) -> float:
    """Draws the silence between the end of one side's turn and the beginning of the other's.

    What is taken is the response time in telephone calls: median 0.320 s, mean 0.410 s (`SOURCE`; both figures
    as in Heldner and Edlund, "Pauses, gaps and overlaps in conversations", Journal of Phonetics 38, 2010, Table 1).
    Brady ("A statistical analysis of on-off patterns in 16 conversations", Bell System Technical Journal 47, 1968)
    found medians of 0.264 to 0.347 s and means of 0.345 to 0.456 s in other calls, depending on how loud a sound has
    to be to count as speech.

    The law is chosen here: silences in speech are close to log-normal (Campione and Véronis, "A large-scale
    multilingual study of silent pause duration", Speech Prosody 2002), and median and mean settle its two parameters.
    Its shape comes to 0.70; Brady's lowest figures would give 0.73, his highest 0.74.

    Overlaps are left out, though 30.1 % of the changes of speaker in the calls of Switchboard come with one (Levinson
    and Torreira, "Timing in turn-taking and its implications for processing models of language", Frontiers in
    Psychology 6:731, 2015): here nobody talks over anybody but where the blueprint has an interruption. Both sides draw
    from one distribution, since these figures do not tell callers from called.

    Returns:
        Seconds in whole milliseconds, from `LEAST_S` to `MOST_S`; what falls outside, 0.9 %, is set to the nearer end.
    """
    pause_s = rng.lognormvariate(math.log(MEDIAN_S), _SIGMA)
    return round(min(max(pause_s, LEAST_S), MOST_S), 3)
