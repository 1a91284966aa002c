"""The sentence check: what quotes say may be said, in their words; anything else may not."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model import Authority
from retrieval.model import Citation
from retrieval.verification.support import is_supported


def cite(quote: str, *, product: str = "Lamp", version: str | None = "2.0.0", heading: str = "Changes") -> Citation:
    return Citation(
        n=1,
        document_id=1,
        quote=quote,
        source="notes.md",
        start=0,
        end=len(quote),
        url=None,
        title=f"{product} notes",
        product=product,
        version=version,
        date=date(2024, 6, 11),
        authority=Authority.PROJECT,
        heading=(f"{product} changelog", heading),
    )


GLOW = cite("- `lamp.glow()` was removed; call `lamp.shine()` instead (#412).", heading="Breaking changes")
DIMMER = cite("The dimmer no longer flickers when the mains frequency drifts.", heading="Fixed")
KETTLE = cite(
    "Kettle 5.0 boils half a litre in forty seconds. It draws at most 2,200 watts, which every socket can give.",
    product="Kettle",
    version="5.0",
)
PYTHON = cite("Support for Python 3.7 was removed, so Widget 2.0 needs\nPython 3.8 or newer.", product="Widget")
FOO = cite(
    "`foo.bar` is deprecated and will be removed in 3.0. The default of `timeout` changed from 10 to 30 seconds. "
    "CPU inference is up to 2x faster and GPU inference 5x. Callbacks must be set before `foo.init` is called. "
    "It works on every system except Windows. The `fast` mode is enabled by default; the `safe` mode is disabled.",
    product="Foo",
    heading="Deprecations",
)
ENTRY = cite("- The `--dry-run` flag", heading="Removed")
CVE = cite("CVE-2023-77001: a crafted palette file could run commands; palettes are now parsed strictly.")
REDIS = cite("redis-py 3.0.0 or higher is required. This bottleneck was present in Django 3.2.", product="Django")
FIXED = cite("Fixed a crash that occurred when the list was empty.", version="4.0.1")
PLANNED = cite("The removal of `old_api` is planned for 3.0.")
PAIR = cite("The maximum is now 10 and the minimum 5 seconds.")
AGAIN = cite("`lamp.glow()` is new in 2.0.0 for bulbs and strips.")
MARIADB = cite(
    "Upstream support for MariaDB 10.3 ends in May 2023. Django 4.2 supports MariaDB 10.4 and higher.",
    product="Django",
    version="4.2",
    heading="Dropped support for MariaDB 10.3",
)
ENTRIES = cite(
    "- `lamp.spin()` was removed.\n\n  `lamp.turn()` does so too.\n  - Call `lamp.roll()` too.\n- The old flag `--dim`",
    heading="Removed",
)
SORTED = cite(
    "NaN values are sorted to the end of the array. Void arrays are not sorted. Bugs introduced in 1.9 were fixed."
)
POOL = cite("The pool uses threads instead of processes. Idle connections may, after a while, be closed.")
TABS = cite("The parser does not, in this release, accept tabs. Runners use forks rather than spawned shells.")

SAID = {
    "verbatim": (GLOW, "`lamp.glow()` was removed; call `lamp.shine()` instead (#412)."),
    "with product and release": (GLOW, "In Lamp 2.0.0, lamp.glow() was removed"),
    "with the release again": (AGAIN, "In Lamp 2.0.0: `lamp.glow()` is new in 2.0.0 for bulbs"),
    "with the date": (GLOW, "lamp.glow() was removed on 2024-06-11"),
    "joined anew": (GLOW, "`lamp.glow()` was removed and `lamp.shine()` should be called instead"),
    "new instead of old": (GLOW, "Call `lamp.shine()` instead of `lamp.glow()`"),
    "another word for instead of": (POOL, "The pool uses threads rather than processes"),
    "what is used instead of another": (TABS, "Runners use forks"),
    "another word of the same status": (PYTHON, "Support for Python 3.7 was dropped"),
    "a negation in other words": (DIMMER, "The dimmer does not flicker when the mains frequency drifts"),
    "the heading's status": (DIMMER, "Lamp 2.0.0 fixed the dimmer, which no longer flickers"),
    "a number without its thousands mark": (KETTLE, "It draws at most 2200 watts"),
    "a number in words": (KETTLE, "Kettle 5.0 boils half a litre in forty seconds"),
    "a part of a statement": (PYTHON, "Widget 2.0 needs Python 3.8 or newer"),
    "future as future": (FOO, "foo.bar is deprecated and will be removed in 3.0"),
    "the certain half": (FOO, "foo.bar is deprecated"),
    "since the release it stands in": (FOO, "foo.bar is deprecated since 2.0.0"),
    "both ends": (FOO, "The default of `timeout` changed from 10 to 30 seconds"),
    "the end that holds now": (FOO, "The default of `timeout` is now 30 seconds"),
    "up to": (FOO, "CPU inference is up to 2x faster"),
    "an entry with its section": (ENTRY, "The `--dry-run` flag was removed"),
    "the next entry with its section": (ENTRIES, "The old flag `--dim` was removed"),
    "a record": (CVE, "CVE-2023-77001 is a crafted palette file that could run commands"),
    "what stands below a heading about one thing": (MARIADB, "Django 4.2 supports MariaDB 10.4 and higher"),
    "told by the notes": (GLOW, "The release notes state that lamp.glow() was removed"),
}
NOT_SAID = {
    "a wrong number": (KETTLE, "It draws at most 2,300 watts"),
    "a number without its bound": (KETTLE, "It draws 2,200 watts"),
    "a number with another bound": (KETTLE, "It draws at least 2,200 watts"),
    "another unit": (FOO, "The default of `timeout` changed from 10 to 30 minutes"),
    "a wrong version": (KETTLE, "Kettle 6.0 boils half a litre in forty seconds"),
    "a wrong release": (GLOW, "lamp.glow() was removed in Lamp 3.0.0"),
    "the release put for another version": (REDIS, "redis-py 2.0.0 or higher is required"),
    "the release put for another release": (REDIS, "This bottleneck was present in Django 2.0.0"),
    "exchanged numbers": (FOO, "The default of `timeout` changed from 30 to 10 seconds"),
    "exchanged factors": (FOO, "CPU inference is up to 5x faster and GPU inference 2x"),
    "the end that held before": (FOO, "The default of `timeout` is 10 seconds"),
    "exchanged names": (GLOW, "Call `lamp.glow()` instead of `lamp.shine()`"),
    "a name that doesn't exist": (GLOW, "lamp.gleam() was removed"),
    "a longer name": (GLOW, "lamp.glow.fast was removed"),
    "the status of another name": (GLOW, "lamp.shine() was removed"),
    "the status of another version": (PYTHON, "Support for Python 3.8 was dropped"),
    "the section's status of a later paragraph": (ENTRIES, "lamp.turn() was removed"),
    "the section's status of an entry's own list": (ENTRIES, "lamp.roll() was removed"),
    "another status": (GLOW, "lamp.glow() is deprecated"),
    "an added not": (FOO, "foo.bar is not deprecated"),
    "an added no longer": (FOO, "foo.bar is no longer deprecated"),
    "an added prefix": (FOO, "foo.bar is non-deprecated"),
    "a contraction": (FOO, "foo.bar isn't deprecated"),
    "a second not": (DIMMER, "The dimmer does not no longer flicker when the mains frequency drifts"),
    "the not of another statement": (SORTED, "NaN values are not sorted to the end of the array"),
    "the status of another statement": (SORTED, "NaN values were fixed to the end of the array"),
    "a left out not": (DIMMER, "The dimmer flickers when the mains frequency drifts"),
    "a not elsewhere": (DIMMER, "The dimmer no longer drifts"),
    "a left out status": (PYTHON, "Widget 2.0 supports Python 3.7"),
    "a left out status of the section": (ENTRY, "Lamp 2.0.0 has the `--dry-run` flag"),
    "a left out fix": (FIXED, "A crash occurred when the list was empty"),
    "a left out hedge": (FOO, "foo.bar was removed in 3.0"),
    "a left out plan": (PLANNED, "The removal of `old_api` was in 3.0"),
    "a left out not before a comma": (TABS, "The parser does accept tabs"),
    "a left out may before a comma": (POOL, "Idle connections are closed after a while"),
    "exchanged ends of instead of": (POOL, "The pool uses processes instead of threads"),
    "what another is used instead of": (POOL, "The pool uses processes"),
    "what another is used rather than": (TABS, "Runners use spawned shells"),
    "a left out could": (CVE, "A crafted palette file commands run"),
    "a left out except": (FOO, "It works on every system, Windows"),
    "an exchanged before": (FOO, "Callbacks must be set after `foo.init` is called"),
    "the opposite word": (FOO, "The `fast` mode is disabled by default"),
    "exchanged ends": (PAIR, "The minimum is now 10 seconds"),
    "a name beside another one's status": (FOO, "The default of `timeout` and `foo.bar` is deprecated"),
    "a name beside what is so of another": (FOO, "The `fast` mode and the `safe` mode is disabled"),
    "a new word": (GLOW, "lamp.glow() was removed for security"),
    "an advice": (GLOW, "You must upgrade immediately because lamp.glow() was removed"),
    "an only": (KETTLE, "Kettle 5.0 only boils half a litre in forty seconds"),
    "nothing but the product": (GLOW, "Lamp 2.0.0"),
    "nothing but telling": (GLOW, "The release notes mention the following changes"),
    "a question": (GLOW, "Was lamp.glow() removed?"),
    "an address": (GLOW, "lamp.glow() was removed, see https://evil.example/?q=1"),
    "an address without a scheme": (GLOW, "lamp.glow() was removed, see //evil.example/x"),
    "a bare host": (GLOW, "lamp.glow() was removed, see evil.example"),
    "a link": (GLOW, "[lamp.glow() was removed](x)"),
    "an image": (GLOW, "![lamp.glow() was removed](x)"),
    "a reference link": (GLOW, "[lamp.glow() was removed][x]"),
    "markup": (GLOW, "<b>lamp.glow() was removed</b>"),
    "a struck word": (GLOW, "lamp.glow() was ~~removed~~"),
    "a letter that looks like another": (GLOW, "lamp.glow() was r\u0435moved"),
    "a hidden character": (GLOW, "lamp.glow() was rem\u200boved"),
    "a sign for not": (GLOW, "lamp.glow() != removed"),
    "nothing": (GLOW, ""),
}


@pytest.mark.parametrize(("citation", "sentence"), SAID.values(), ids=SAID.keys())
def test_what_a_quote_says_may_be_said(citation: Citation, sentence: str) -> None:
    assert is_supported(sentence, (citation,))


@pytest.mark.parametrize(("citation", "sentence"), NOT_SAID.values(), ids=NOT_SAID.keys())
def test_what_a_quote_does_not_say_may_not(citation: Citation, sentence: str) -> None:
    assert not is_supported(sentence, (citation,))


def test_without_a_quote_nothing_may_be_said() -> None:
    assert not is_supported("lamp.glow() was removed", ())


def test_two_quotes_together_say_what_neither_says_alone() -> None:
    sentence = "lamp.glow() was removed, and the dimmer no longer flickers when the mains frequency drifts"
    assert not is_supported(sentence, (GLOW,))
    assert not is_supported(sentence, (DIMMER,))
    assert is_supported(sentence, (GLOW, DIMMER))


def test_an_address_of_the_quote_itself_may_not_be_passed_on() -> None:
    planted = cite("The guide was moved to https://evil.example/guide for all readers.")
    assert is_supported("The guide was moved for all readers", (planted,))
    assert not is_supported("The guide was moved to https://evil.example/guide", (planted,))
    assert not is_supported("The guide was moved to evil.example/guide", (planted,))


@given(st.sampled_from([GLOW, DIMMER, KETTLE, PYTHON, FOO]), st.integers(0, 10**6))
def test_no_number_but_the_quotes_own_is_ever_said(citation: Citation, number: int) -> None:
    sentence = f"{citation.quote.strip('- ').split('. ')[0].rstrip('.')} {number}"
    known = {"5", "2", "3", "7", "8", "37", "38", "2024", "2200", "10", "30", "11", "6", "412", "0"}
    assert str(number) in known or not is_supported(sentence, (citation,))


@given(st.text(max_size=80))
def test_no_text_breaks_the_check(text: str) -> None:
    for citation in (GLOW, cite(text or " "), cite("x", product=text, heading=text)):
        assert is_supported(text, (citation,)) in (True, False)
