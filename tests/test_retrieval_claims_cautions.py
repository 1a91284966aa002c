"""What keeps a sentence that holds all of a claim's words from bearing it."""

import pytest

from retrieval.claims.cautions import is_withheld, names_another, release_of_its_own

WITHHELD = {
    "taken back": ("The --hex option was added and reverted before 7.4.", "7.4 has the --hex option."),
    "a revert": ('Revert: "cache results in the home folder".', "Results are cached in the home folder."),
    "without": ("It strips types, without type checking.", "It strips types and checks them: type checking."),
    "behind a flag": ("require() of modules works under the flag --experimental.", "require() of modules works."),
    "stays as it is": ("The default prefetch remains 4.", "The default prefetch changed."),
    "on its way out, not out": ("Control groups v1 is in maintenance mode.", "Control groups v1 support was removed."),
    "former value": ("GCC 9 or later is required, it was GCC 4.9.", "GCC 4.9 is required."),
    "former limit": ("Names used to be limited to 8 characters.", "Names are limited to 8 characters."),
    "a limit, not a requirement": ("It requires Java 17 and supports up to Java 22.", "It requires Java 22."),
    "another day": ("Released 2024-08-13.", "It was released on 2024-09-11."),
    "another day in words": ("Released 13 August 2024.", "It was released on August 11, 2024."),
    "a severity that isn't told": ("A user could run commands.", "The vulnerability is critical."),
    "denied": ("Widgets now support copying.", "Widgets can't be copied."),
    "still so, though changed": ("Turning raises an error for None.", "Turning still puts up with None."),
    "gone, though it remains": ("It is hidden, and will remain without effect.", "2.0 deletes it."),
    "opt-in": ("The proxy is recommended, and stays opt-in.", "The proxy is used by default."),
    "another unit": ("Tests that hang are skipped after 10 seconds.", "Tests that hang are skipped after a minute."),
}
BORNE = {
    "the same in the claim": ("It strips types without type checking.", "It works without type checking."),
    "stays, as claimed": ("The default prefetch remains 4.", "The default prefetch is still 4."),
    "stays, and nothing else is claimed": ("It requires Java 17 as before.", "It needs Java 17."),
    "the value that came": ("GCC 9 or later is required, it was GCC 4.9.", "GCC 9 is required."),
    "the former value, as claimed": ("GCC 9 is required, it was GCC 4.9.", "GCC 9 is required; it was GCC 4.9."),
    "the requirement": ("It requires Java 17 and supports up to Java 22.", "It requires Java 17."),
    "the same day in other words": ("Released 2024-08-13.", "It was released on August 13, 2024."),
    "its release": ("Widget 2.12 deprecates spin.", "spin was deprecated in Widget 2.12."),
    "no event": ("Widget 2.10 made spin fast.", "spin is fast in Widget 2.12."),
}


@pytest.mark.parametrize(("told", "claimed"), WITHHELD.values(), ids=WITHHELD.keys())
def test_a_claim_silent_on_the_turn_is_not_borne(told: str, claimed: str) -> None:
    assert is_withheld(told, claimed)


@pytest.mark.parametrize(("told", "claimed"), BORNE.values(), ids=BORNE.keys())
def test_a_claim_that_says_it_too_is_borne(told: str, claimed: str) -> None:
    assert not is_withheld(told, claimed)


ANOTHER = {
    "another option": ("It takes a custom_repr option.", "It takes an override_repr option for a custom repr.", True),
    "the option": ("It takes override_repr.", "It takes an `override_repr` option.", False),
    "the option's last part": ("numpy.set_printoptions takes it.", "np.set_printoptions takes it.", False),
    "another driver": ("Move to csi.keystore.example.", "Migrate to csi.vaultfs.example.", True),
    "another release": ("Stable since Widget 3.9.", "It graduated to stable.", True),
    "the release of its notes": ("Stable since Widget 3.8.", "It graduated to stable.", False),
    "a factor, no release": ("It is 1.25 times as fast.", "It is faster by a quarter.", False),
}


@pytest.mark.parametrize(("claim", "told", "another"), ANOTHER.values(), ids=ANOTHER.keys())
def test_a_claim_that_names_what_the_notes_do_not_name_is_not_borne(claim: str, told: str, another: bool) -> None:
    assert names_another(claim, told, releases=["3.8.1"]) is another


ELSEWHERE = {
    "in its subject": ("Widget 2.10 brought the formal deprecation of spin.", ("2.12", "2.10")),
    "since": ("spin is deprecated, and has been since 2.10.", ("2.12", "2.10")),
    "the claimed one": ("Widget 2.12 deprecates spin.", None),
    "none": ("spin is deprecated.", None),
}


@pytest.mark.parametrize(("told", "releases"), ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_a_statement_may_name_the_release_of_its_event(told: str, releases: tuple[str, str] | None) -> None:
    assert release_of_its_own(told, "spin was deprecated in Widget 2.12.") == releases
