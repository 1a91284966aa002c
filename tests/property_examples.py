"""How many examples a property test tries, and whether they are always the same ones.

`HYPOTHESIS_PROFILE` names the profile; `make test-explore` names the other one.
"""

import os

from hypothesis import HealthCheck, settings

_USUAL = 50


def load_profile() -> None:
    """Let every run try the same examples, so that what fails is the change; or explore: others each time, and more."""
    # How long an example takes, to run or to make, says how busy the machine is.
    steady = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=_USUAL)
    settings.register_profile("relnotes", steady, derandomize=True)
    settings.register_profile("explore", steady, max_examples=20 * _USUAL, print_blob=True)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "relnotes"))


def examples(count: int) -> settings:
    """As many examples as this where others have 50; twenty times as many where we explore."""
    return settings(max_examples=count * settings().max_examples // _USUAL)
