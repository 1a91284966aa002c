"""The HTML of the Ask tab: hostile documents stay text, markers open cards, conflicts stand side by side."""

import html
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest
from page_answers import ANSWER, AROUND, CITATION, HOSTILE, HOSTILE_ANSWER, HOSTILE_AROUND, product
from page_html import PageHtml, assert_harmless

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.model import Authority
from corpus.versions import Version
from retrieval.model import Answer, Citation, Conflict, Status
from ui.rendering.words import AUTHORITY_WORDS
from ui.web.ask.conversation import Answered, Asking, Failure
from ui.web.ask.seen import Changed, see
from ui.web.ask.start import NewRelease, StartOffers
from ui.web.ask.turn_html import (
    render_age_html,
    render_coverage_html,
    render_covered_html,
    render_follow_ups,
    render_start_html,
    render_turn,
)
from ui.web.html import escape, render
from ui.web.surroundings import Surroundings


def render_answer_text(answer: Answer, prefix: str) -> str:
    return render("ask", "answer_text", answer=answer, prefix=prefix)


def render_sources(citations: tuple[Citation, ...], surroundings: Mapping[int, Surroundings], prefix: str) -> str:
    return render("cards", "sources", citations=citations, surroundings=surroundings, prefix=prefix)


def render_conflicts(conflicts: tuple[Conflict, ...], citations: tuple[Citation, ...], prefix: str) -> str:
    return render("ask", "conflicts", conflicts=conflicts, citations=citations, prefix=prefix)


ASKING = Asking("Is spin deprecated?")
FOUND = Answered(ANSWER, AROUND)
DAY = date(2024, 5, 2)


def turn(outcome: Answered | Failure = FOUND, *, number: int = 2, asking: Asking = ASKING) -> str:
    seen = see(outcome.answer, today=DAY) if isinstance(outcome, Answered) else None
    return render_turn(number, asking, outcome, seen=seen)


def test_an_answer_is_its_text_with_markers() -> None:
    assert render_answer_text(ANSWER, "rn-t2") == (
        '<div class="rn-answer rn-answered"><p><strong>Widget 2.0</strong>: spin is deprecated. '
        '<button type="button" class="rn-marker" data-card="rn-t2-source-1" aria-controls="rn-t2-source-1" '
        'aria-expanded="false" '
        'aria-label="Show source 1">[1]</button></p></div>'
    )


def test_a_source_is_a_closed_card_with_its_place_and_links() -> None:
    assert render_sources((CITATION,), AROUND, "rn-t2") == (
        '<section class="rn-sources" aria-live="off"><h3>Sources</h3>'
        '<details class="rn-card" id="rn-t2-source-1"><summary><span class="rn-n">[1]</span> '
        '<span class="rn-title">Widget 2.0</span> <span class="rn-about">Deprecations · widget 2.0 · '
        '<time datetime="2024-05-01">1 May 2024</time></span> '
        '<span class="rn-badge rn-official">official</span></summary>'
        '<p class="rn-heading">Widget 2.0 › Deprecations</p>'
        '<blockquote tabindex="0" aria-label="Quote 1 in its place">… Before it. '
        "<mark>`spin` is deprecated.</mark> After it.</blockquote>"
        '<p class="rn-place"><a href="/documents/3?start=40&amp;end=61#quote" target="_blank" rel="noopener">'
        "Open in the document</a> "
        '<a href="https://widget.example/2.0#:~:text=spin%20is%20deprecated." target="_blank" '
        'rel="noopener noreferrer">Open the original<span class="rn-visually-hidden"> at another site</span></a>'
        '<span class="rn-file">widget/2.0.md</span></p></details></section>'
    )


def test_a_turn_has_its_question_as_heading_above_all_others() -> None:
    found = PageHtml(turn())
    assert found.texts("h2") == ["Is spin deprecated?"]
    assert [tag for tag in found.tags if tag in ("h1", "h2", "h3", "h4")] == ["h2", "h3"]
    assert ("data-link", "/?q=Is+spin+deprecated%3F") in found.attributes


def test_ids_are_unique_over_the_turns() -> None:
    ids = re.findall(r' id="([^"]+)"', turn() + turn(number=3))
    assert len(ids) == len(set(ids)) > 4


def test_hostile_text_stays_text_wherever_it_stands() -> None:
    asking = Asking(HOSTILE, history=(HOSTILE,), product=HOSTILE, version=HOSTILE)
    covered = render_covered_html([product(HOSTILE)], asked=())
    near = ((HOSTILE_ANSWER.citations[0], HOSTILE_AROUND[1]),)
    found = Answered(HOSTILE_ANSWER, HOSTILE_AROUND, nearest=near, covered=covered)
    offers = StartOffers((NewRelease(HOSTILE, HOSTILE, DAY, HOSTILE_ANSWER.citations[0], HOSTILE),), (HOSTILE,))
    printed = assert_harmless(
        turn(found, number=1, asking=asking)
        + turn(Failure(HOSTILE, can_retry=True), asking=asking)
        + render_start_html([product(HOSTILE, "1.0")], offers, updated=DAY, today=DAY)
        + render_follow_ups([HOSTILE])
    )
    assert printed.tags.count("mark") == printed.tags.count("details") == 2
    assert printed.texts("mark") == [HOSTILE] * 2


def test_marks_that_turn_the_direction_are_shown_as_such() -> None:
    assert escape("safe\u202etxt.exe") == "safe\N{REPLACEMENT CHARACTER}txt.exe"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//widget.example", None])
def test_only_web_addresses_are_linked(url: str | None) -> None:
    markup = render_sources((replace(CITATION, url=url),), AROUND, "rn-t1")
    assert re.findall(r'href="([^"]+)"', markup) == ["/documents/3?start=40&amp;end=61#quote"]


@pytest.mark.parametrize("text", ["Not found in the notes.", "The index covers widget 2.0."])
def test_not_found_begins_with_not_found(text: str) -> None:
    answer = replace(ANSWER, status=Status.NOT_FOUND, answer=text, citations=())
    found = PageHtml(render_answer_text(answer, "rn-t1"))
    assert found.text.startswith("Not found")
    assert found.text.count("Not found") == 1


def test_not_found_shows_the_nearest_passages_and_what_is_covered() -> None:
    answer = replace(ANSWER, status=Status.NOT_FOUND, answer="Not found.", citations=())
    covered = render_covered_html([product("widget", "2.0", "1.5", released=date(2024, 5, 1))], asked=("widget",))
    found = PageHtml(turn(Answered(answer, nearest=((CITATION, AROUND[1]),), covered=covered)))
    assert found.texts("mark") == ["`spin` is deprecated."]
    assert found.tags.count("details") == 1
    assert found.texts("tbody") == ["widget1.5 and 2.01 May 2024"]


def test_follow_ups_are_questions_and_none_is_nothing() -> None:
    found = PageHtml(render_follow_ups(["What replaces `spin`?"]))
    assert ("data-question", "What replaces `spin`?") in found.attributes
    assert found.texts("code") == ["spin"]
    assert render_follow_ups(()) == ""


SINCE: dict[str, tuple[Changed | None, str | None]] = {
    "not seen before": (None, None),
    "seen today": (Changed(DAY, (), 0, False), None),
    "the same": (Changed(date(2024, 5, 1), (), 0, False), "The same answer as on 1 May 2024."),
    "a new source": (Changed(DAY, (1,), 0, True), "Changed since 2 May 2024. New: [1]."),
    "a quote less": (Changed(DAY, (), 1, True), "Changed since 2 May 2024. 1 quote of then is gone."),
    "two less": (Changed(DAY, (), 2, False), "Changed since 2 May 2024. 2 quotes of then are gone."),
    "other words": (
        Changed(DAY, (), 0, True),
        "Changed since 2 May 2024. It is worded anew; its quotes are the same.",
    ),
}


@pytest.mark.parametrize(("changed", "line"), SINCE.values(), ids=SINCE)
def test_what_has_changed_since_is_told(changed: Changed | None, line: str | None) -> None:
    markup = turn(replace(FOUND, changed=changed))
    found = re.search(r'<p class="rn-since">(.*?)</p>', markup)
    assert (PageHtml(found[1]).text.strip() if found else None) == line


def test_conflicts_stand_side_by_side_with_who_says_what() -> None:
    other = replace(CITATION, n=2, quote="`spin` stays.", title="Widget news", authority=Authority.NEWS)
    markup = render_conflicts((Conflict("the fate of spin", (1, 2)),), (CITATION, other), "rn-t1")
    assert re.findall(r'data-card="rn-t1-source-(\d)"', markup) == ["1", "2"]
    sides = [html.unescape(re.sub(r"<[^>]+>", " ", side)).split() for side in markup.split("<li")[1:]]
    assert "About the fate of spin" in markup
    assert {"official", "itself", "deprecated."} <= set(sides[0])
    assert {"news", "stays."} <= set(sides[1])
    assert "itself" not in sides[1]


def test_a_conflict_names_only_sides_that_are_cited() -> None:
    markup = render_conflicts((Conflict("the date", (1, 9)),), (CITATION,), "rn-t1")
    assert markup.count("<li") == 1


@pytest.mark.parametrize("authority", Authority, ids=str)
def test_authority_is_a_word_not_a_colour(authority: Authority) -> None:
    markup = render_sources((replace(CITATION, authority=authority),), AROUND, "rn-t1")
    assert f">{AUTHORITY_WORDS[authority]}</span></summary>" in markup


def test_undated_and_unversioned_sources_say_so() -> None:
    bare = replace(CITATION, version=None, date=None, heading=(), title="")
    found = PageHtml(render_sources((bare,), AROUND, "rn-t1"))
    assert found.texts("summary") == ["[1] widget/2.0.md widget · undated official"]


def test_a_refusal_can_be_tried_again_and_wrong_usage_cannot() -> None:
    refused = turn(Failure("8 questions are being answered already.", can_retry=True))
    assert 'role="alert"' in refused
    assert 'data-again="/?q=Is+spin+deprecated%3F"' in refused
    assert "data-again" not in turn(Failure("Unknown product 'x'.", can_retry=False))


def test_what_is_copied_holds_the_answer_and_its_sources() -> None:
    (copied,) = PageHtml(turn()).values("data-copy")
    assert "spin is deprecated. [1]" in copied
    assert "[widget/2.0.md](https://widget.example/2.0" in copied


def test_the_link_says_what_was_seen() -> None:
    (link,) = PageHtml(turn()).values("data-copy-link")
    assert link.startswith("/?q=Is+spin+deprecated%3F&seen=20240502.")


COVERAGES: dict[str, tuple[tuple[CatalogueProduct, ...], str]] = {
    "nothing": ((), "There are no release notes yet. Add some in the Library."),
    "one release": ((product("widget", "2.0"),), "Covers widget 2.0 · 1 document"),
    "a range": ((product("widget", "2.0", "1.5"),), "Covers widget 1.5–2.0 · 1 document"),
    "no versions": ((product("widget"),), "Covers widget · 1 document"),
    "largest first": (
        (product("a", "1.0"), product("b", "2.0", passages=9)),
        "Covers b 2.0, a 1.0 · 2 documents",
    ),
    "many": (
        tuple(product(name, "1.0") for name in "abcdefgh"),
        "Covers a 1.0, b 1.0, c 1.0, d 1.0, e 1.0, f 1.0 and 2 more products · 8 documents",
    ),
}


@pytest.mark.parametrize(("products", "line"), COVERAGES.values(), ids=COVERAGES.keys())
def test_coverage_line(products: tuple[CatalogueProduct, ...], line: str) -> None:
    assert PageHtml(render_coverage_html(products)).texts("p") == [line]


TODAY = date(2026, 5, 20)


def _released(version: str, day: date | None) -> CatalogueRelease:
    return CatalogueRelease(Version.parse(version), day, ())


AGES: dict[str, tuple[tuple[CatalogueProduct, ...], date, str]] = {
    "today": (
        (product("widget", "2.12", released=date(2026, 5, 13)),),
        TODAY,
        "The newest notes are of widget 2.12, 13 May 2026. Read last today.",
    ),
    "several products, yesterday": (
        (product("a", "1.0", released=date(2020, 1, 1)), product("b", "2.0", released=date(2021, 1, 1))),
        date(2026, 5, 19),
        "The newest notes are of b 2.0, 1 January 2021. Read last yesterday.",
    ),
    "the newest undated": (
        (
            replace(
                product("widget", "2.12", "2.9"), releases=(_released("2.12", None), _released("2.9", date(2025, 1, 1)))
            ),
        ),
        TODAY,
        "The newest notes are of widget 2.9, 1 January 2025. Read last today.",
    ),
    "undated": ((product("widget", "2.0"),), date(2026, 1, 2), "Read last on 2 January 2026."),
}


@pytest.mark.parametrize(("products", "updated", "line"), AGES.values(), ids=AGES.keys())
def test_the_age_of_the_notes(products: tuple[CatalogueProduct, ...], updated: date, line: str) -> None:
    assert PageHtml(render_age_html(products, updated=updated, today=TODAY)).texts("p") == [line]


def test_an_empty_index_has_no_age() -> None:
    assert render_age_html((), updated=TODAY, today=TODAY) == ""


def test_what_is_covered_is_told_of_the_product_that_was_asked_about() -> None:
    products = [product(name, "1.0", passages=9) for name in "abcdefgh"] + [product("z", "2.0")]
    found = PageHtml(render_covered_html(products, asked=("z",)))
    assert found.texts("tbody") == ["z2.0undated"]
    assert "more products" not in found.text


def test_what_is_covered_is_told_of_the_largest_where_no_product_was_asked_about() -> None:
    products = [product(name, "1.0", passages=9) for name in "abcdefgh"] + [product("z", "2.0")]
    found = PageHtml(render_covered_html(products, asked=()))
    assert found.texts("tbody")[0].startswith("a1.0undated")
    assert "And 3 more products, all in the Library." in found.text


@pytest.mark.parametrize("text", [HOSTILE, "a & b", "{{x}}", "${x}"])
def test_escaping_loses_nothing(text: str) -> None:
    assert html.unescape(escape(text)) == text
    # Gradio's component runs what stands in these.
    assert not {*escape(text)} & {*"{}$<>"}
