"""What an answer says of an entry: the change its heading names, whole sentences or clauses as far as they fit, without
records of who and where, and nothing that leads away from it."""

import time
import timeit

import pytest

from corpus.plain_words import readable
from corpus.said_words import change_in_heading, leads_away, say_entry, unsaid_change
from retrieval.quoting.wording import said_words, telling_clause

SAID = {
    "a name under Removed": ("The --legacy option.", ("2.0", "Removed"), "Removed: The --legacy option."),
    "says it itself": ("Removed the --legacy option.", ("Removed",), "Removed the --legacy option."),
    "in another form": ("Drops support for Windows 7.", ("Removals",), "Drops support for Windows 7."),
    "a bare name is new": ("Table.merge().", ("Added",), "Added: Table.merge()."),
    "a whole sentence is plain": ("Table.merge() joins two tables by key.", ("Added",), None),
    "a bug, not a feature": ("A crash on empty files.", ("Fixed",), "Fixed: A crash on empty files."),
    "a heading of a subject": ("Tables are joined by key.", ("Tables",), None),
    "ticket at the end": ("Rows are streamed. (gh-330)", (), "Rows are streamed."),
    "tickets at the end": ("Rows are streamed (#12, #14).", (), "Rows are streamed."),
    "arguments of a name": ("Prices are numeric(19,4).", (), None),
    "ticket at the start": ("#7777: Files are closed.", (), "Files are closed."),
    "tickets at the start": ("gh-12, gh-14: Files are closed.", (), "Files are closed."),
    "ticket in brackets at the start": ("[#12] Files are closed.", (), "Files are closed."),
    "a ticket that is spoken of": ("#12 is fixed.", (), None),
    "a number before a colon": ("404: not found is an error.", (), None),
    "a number that tells": ("The pool is smaller (20 connections).", (), None),
    "pointer sentence": ("Adds lanes. See the docs for details.", (), "Adds lanes."),
    "a clause that points stays": ("Sorting is stable now, see the guide.", (), None),
    "a commit before it": ("8485d76 feat: rows are streamed (#12) (Jane Doe)", (), "feat: rows are streamed"),
    "a commit after it": ("Rows are streamed (#12) (0b384d8f)", (), "Rows are streamed"),
    "who wrote it": ("Rows are streamed by @jane in https://example.org/pull/12", (), "Rows are streamed"),
    "who wrote it, in a list of commits": (
        "* [`8485d76`](/c) fix: `x` is read (fixes #1) (#12) (Jo Doe)",
        (),
        "fix: `x` is read",
    ),
    "a key of a tracker, linked": ("* [HUB-12](https://a.example/browse/HUB-12) - Rows turn", (), "Rows turn"),
    "a key of a tracker, in brackets": ("[HUB-12] - Rows turn", (), "Rows turn"),
    "the name of a standard": ("UTF-16 - rows are read", (), None),
    "a role of tickets, whatever its name": ("Rows are streamed (:iss:`12`)", (), "Rows are streamed"),
    "a role of standards": ("Reads rows as in :rfc:`12`", (), "Reads rows as in RFC 12"),
    "bare tickets at the end": ("fix(pool): rows are streamed #13572 #13550", (), "fix(pool): rows are streamed"),
    "what an entry closes": ("Rows are streamed. GitHub issue: [#12](/i/12)", (), "Rows are streamed."),
    "tickets and people": ("Rows are streamed. @jane #12 (#3, partially fixes #4, @joe)", (), "Rows are streamed."),
    "people of a profile": ("Rows are streamed #12 [jane](https://example.org/jane)", (), "Rows are streamed"),
    "whose patch it is": ("#12: Rows are streamed.\n  Patch by Jane Doe.", (), "Rows are streamed."),
    "whom it thanks": ("Rows are streamed. Thanks, `Jane Doe <https://example.org>`__.", (), "Rows are streamed."),
    "who contributed it": ("Rows are streamed. (Contributed by Jane A. Doe in #12)", (), "Rows are streamed."),
    "thanks to a thing": ("Rows are streamed, thanks to cursors.", (), None),
    "address of a ticket": ("Rows are streamed https://example.org/a/pull/12", (), "Rows are streamed"),
    "link of a ticket that speaks": ("Fix [rows that stall](https://example.org/a/pull/12)", (), "Fix rows that stall"),
    "linked ticket of a kind": ("- [BUG #12](/i/12):\n  Use of rows is fixed", (), "Use of rows is fixed"),
    "kind and ticket before a tag": ("bug #12 [Pool] Rows are streamed (jane-doe)", (), "Rows are streamed"),
    "a branch before it": ("[13.x] Rows are streamed", (), "Rows are streamed"),
    "several tags": ("[Pool] [13.x]: Rows are streamed", (), "Rows are streamed"),
    "a tag before a word": ("[Pool] Streaming", (), None),
    "an address": ("Rows are streamed (https://a.example/rows) now.", (), None),
    "tickets after a sentence": (
        "Rows are streamed ([#12](/i/12)).\n  Pools (#1, #2) do it.",
        (),
        "Rows are streamed. Pools do it.",
    ),
    "tickets of a title": ("Rows are streamed (#12)\n  Pools do it.", (), "Rows are streamed. Pools do it."),
    "a link by a ticket's name": ("Fix [a leak][#12] that stalls", (), "Fix a leak that stalls"),
    "ticket of a sentence": ("Rows are streamed as proposed in #12", (), None),
    "what is taken back": ("Reverts #12", (), None),
    "a decorator is nobody": ("Rows are streamed by methods such as @stream", (), None),
    "a pair of numbers": ("Padding goes from 0 to (0, 1)", (), None),
    "a day is no commit": ("20240501 is the day of the release.", (), None),
    "an aside is no author": ("Files are locked (Windows)", (), None),
    "a word is no commit": ("Defaced pages are shown (effaced)", (), None),
    "nothing but a ticket": ("(#12)", (), None),
}


def labelled(words: str, heading: tuple[str, ...]) -> str:
    said = say_entry(words)
    return ": ".join(filter(None, (unsaid_change(said, heading), said)))


@pytest.mark.parametrize(("words", "heading", "said"), SAID.values(), ids=SAID.keys())
def test_an_entry_is_said(words: str, heading: tuple[str, ...], said: str | None) -> None:
    assert labelled(words, heading) == (words if said is None else said)


@pytest.mark.parametrize(
    ("title", "change"),
    [
        ("Features removed in 2.0", "Removed"),
        ("Features deprecated in Django 4.2", "Deprecated"),
        ("Removed features", "Removed"),
        ("Deprecated APIs in 3.1", "Deprecated"),
        ("Features that removed workers gain", ""),
        ("Deprecated feature flags", ""),
    ],
)
def test_a_title_names_the_change_of_the_things_below_it(title: str, change: str) -> None:
    assert change_in_heading(("Queue 2.0", title)) == change
    said = labelled("Support for Python 3.9.", ("Queue 2.0", title))
    assert said == (f"{change}: Support for Python 3.9." if change else "Support for Python 3.9.")


@pytest.mark.parametrize(
    ("words", "away"),
    [
        ("- See the full list [here](x).", True),
        ("For more details read on.", True),
        ("Seen jobs are kept.", False),
        ("- [Migration guide](/migrate)", True),
        ("- Languages: [a](b), [c](d)", True),
        ("- [Lanes](l) are new and fast.", False),
        ("Contributed by Jane Doe Example PR 12.", True),
        ("- Thanks to @jane for the report", True),
    ],
)
def test_a_pointer_is_no_change(words: str, away: bool) -> None:
    assert leads_away(words) is away


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Option\tDefault\n--jobs\t4", "Option: Default; --jobs: 4"),
        (
            "| Option | Default | Since |\n|---|---|---|\n| `--jobs` | 4 | 2.0 |",
            "Option, Default, Since; --jobs, 4, 2.0",
        ),
        ("Takes int | str.", "Takes int | str."),
        ("> **Note:** read on", "Note: read on"),
        (">>> 1 + 1", ">>> 1 + 1"),
        ("Reads a secret.\n\n.. versionadded:: 1.0", "Reads a secret. Added in 1.0."),
        ("stable now, see {ref}`sorting`", "stable now, see sorting"),
        ("`assert {type}` and `x[{a}]` are gone", "assert {type} and x[{a}] are gone"),
        ("_sql.or_ and :func:`_sql.and_` are _very_ old", "_sql.or_ and _sql.and_ are very old"),
        ("see :attr:`.Wheel.spin` and :meth:`~.Hub.turn`", "see Wheel.spin and Hub.turn"),
        (r"the \[hub\] table, \_spin\_, `\[`", r"the [hub] table, _spin_, \["),
        ("Gone::\n\n.. code-block:: python\n   :linenos:\n\n   spin()", "Gone: spin()"),
        ("Gone:\n\n```python\nspin(*args)\n```", "Gone: spin(*args)"),
    ],
    ids=[
        *("tabs", "pipes", "one line with a pipe", "block quote", "prompt", "directive", "MyST role"),
        *("braces in code", "names with underscores", "searched names", "escapes", "code directive", "fence"),
    ],
)
def test_tables_and_marks_are_read_out(written: str, said: str) -> None:
    assert readable(written) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("`spin()` calls ``a[*b]``", "`spin()` calls `a[*b]`"),
        ("**Hubs of `Rim`:** new", "Hubs of `Rim`: new"),
        ("`a` ` b\nc `", "`a` `b c`"),
        ("`` `x` ``", "`x`"),
        ("`a === b` ===", "`a === b`"),
        (r"Hub 3.\* and `3.\*`", r"Hub 3.* and `3.\*`"),
        (":func:`~hub.spin` and :ref:`the hub <hubs>`", "`hub.spin` and the hub"),
        ("by :pep:`484`, fixes :cve:`2031-7`, :line:`12`", "by PEP 484, fixes CVE-2031-7, 12"),
        ("`the hub`_ and `rims <https://a.example>`_", "the hub and rims"),
        ("_sql.or_", "`_sql.or_`"),
        ("**_Hubs_ of max_speed**", "Hubs of max_speed"),
        ("see the [hub][1] ([rim][]), [#12]; [x][y]", "see the hub (rim), [#12]; x"),
        ("[Fix][hub] Rims", "[Fix][hub] Rims"),
        ("see xref:hub/rim.adoc#top[the rim]", "see the rim"),
        (".. warning::\n   Rims\n   turn.", "Warning: Rims turn."),
        ("** inner\n* outer", "inner outer"),
        ("name [the key][`k`] from `a` to `b`", "name the key from `a` to `b`"),
        ("`Key` takes `_` for `*` again", "`Key` takes `_` for `*` again"),
        ("``a ` b`` then `x`", "`a  b` then `x`"),
        ("the `` ` `` mark of `x`", "the ` mark of `x`"),
        ("`+maxRetryAttempts+` replaced by `+maxAttempts+`", "`maxRetryAttempts` replaced by `maxAttempts`"),
    ],
    ids=[
        *("code", "emphasis around code", "folded", "back ticks in code", "a line's signs in code", "escapes"),
        *("roles of code and of titles", "roles of numbers", "links", "names with underscores"),
        *("emphasis in emphasis", "links by label", "tags", "AsciiDoc's links", "admonition", "AsciiDoc's bullets"),
        *("a link by a label of code", "code that begins as a link ends", "a back tick in code", "a back tick as code"),
        "what AsciiDoc passes through",
    ],
)
def test_code_is_kept_as_code(written: str, said: str) -> None:
    assert readable(written, keeps_code=True) == said


@pytest.mark.parametrize("piece", ["[", "[[a", "-.", "`#1 <", ":a:`1 <"])
def test_what_looks_like_records_takes_time_that_grows_with_it(piece: str) -> None:
    def took(times: int) -> float:
        entry = f"Fix a hang {piece * times} in the lamp"
        # Of several tries the quickest: a busy machine or a garbage collection slows one of them down.
        return min(timeit.repeat(lambda: say_entry(entry), timer=time.process_time, number=1, repeat=5))

    # Sixteen times as much takes 256 times as long where the time grows with the square.
    assert took(16_000) < 64 * took(1_000) + 0.05


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        pytest.param("Fix a hang (#12, fixes #9, @gull)", "Fix a hang", id="tickets and who at the end"),
        pytest.param("Fix a hang (reported by Ann Gull).", "Fix a hang.", id="who told"),
        pytest.param("Fix a hang. @gull 5a015deae35d19e3eb", "Fix a hang.", id="a commit"),
        pytest.param("Fix a hang. Thanks to @gull!", "Fix a hang.", id="thanks"),
        pytest.param("Drop Python 3.8. 2966", "Drop Python 3.8.", id="a bare number after a sentence"),
        pytest.param("Fix a hang. Patch by Ann Gull and Bo Tern.", "Fix a hang.", id="a sentence on its author"),
        pytest.param("#12 Fix a hang", "Fix a hang", id="a ticket before it"),
        pytest.param("[[#12]]: fix a hang [[@gull]]", "fix a hang", id="both in brackets"),
        pytest.param("bug #12 [Mail] Fix a hang (gull)", "[Mail] Fix a hang", id="a generated list"),
        pytest.param("fix(mail)!: end a hang", "mail: end a hang", id="a commit's type, not what it is about"),
        pytest.param("Breaking change: hubs are gone", "hubs are gone", id="nor that it breaks"),
        pytest.param("Fix a hang (#12) (Ann Gull)", "Fix a hang", id="who behind the ticket"),
        pytest.param("Fix a hang (Windows)", "Fix a hang (Windows)", id="an aside is no record"),
        pytest.param("Support Python 3.14", "Support Python 3.14", id="nor is a version"),
        pytest.param("#12", "#12", id="never nothing"),
    ],
)
def test_records_are_no_part_of_what_an_entry_says(entry: str, said: str) -> None:
    assert said_words(entry) == said


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("The flag is gone. Use the option.", "The flag is gone. Use the option."),
        ("The old flag of the command is gone. Use the option in its place.", "The old flag of the command is gone."),
        ("The flag of the command is gone, which was long announced here", "The flag of the command is gone."),
        (
            "The flag of the command is gone, use the option instead",
            "The flag of the command is gone, use the option …",
        ),
        (
            "The old flag of the command is gone for all of you. Use it",
            "The old flag of the command is gone for all of you.",
        ),
        (
            "The flag (of the command, an old one) is gone for all",
            "The flag (of the command, an old one) is gone for …",
        ),
    ],
)
def test_a_long_entry_is_told_in_whole_sentences_or_clauses(entry: str, said: str) -> None:
    assert telling_clause(entry, max_characters=50, longest=52) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Rows are streamed https://a.example/rows now.", "Rows are streamed now."),
        ("The guide is at https://a.example/rows now.", "The guide is at https://a.example/rows now."),
    ],
)
def test_on_a_flat_page_the_addresses_of_links_arent_said(words: str, said: str) -> None:
    assert say_entry(words, is_flat=True) == said


def test_tickets_stay_where_they_are_asked_for() -> None:
    assert say_entry("Rows are streamed. (gh-330)", keeps_tickets=True) == "Rows are streamed. (gh-330)"
