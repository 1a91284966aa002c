"""The HTML of the Ask tab: hostile documents stay text, markers open cards."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest
from page_answers import ANSWER, AROUND, CITATION, HOSTILE, HOSTILE_ANSWER, HOSTILE_AROUND, PASSAGE, product, told
from page_html import PageHtml, assert_harmless

from retrieval.blocks import Blocks, name_of, words_of
from retrieval.model import Answer, Citation, Status
from ui.web.ask.conversation import Answered, Asking, Failure, see
from ui.web.ask.layout import lay_out
from ui.web.ask.turn_html import render_turn, render_ways_html
from ui.web.html import render
from ui.web.source import Surroundings


def render_answer_text(answer: Answer, prefix: str) -> str:
    return render("ask", "answer_text", answer=answer, layout=lay_out(answer), prefix=prefix)


def render_sources(citations: tuple[Citation, ...], surroundings: Mapping[int, Surroundings], prefix: str) -> str:
    return render("cards", "sources", citations=citations, surroundings=surroundings, prefix=prefix)


ASKING = Asking("Is spin deprecated?")
FOUND = Answered(ANSWER, AROUND)
DAY = date(2024, 5, 2)


def turn(outcome: Answered | Failure = FOUND, *, number: int = 2, asking: Asking = ASKING) -> str:
    seen = see(outcome.answer, today=DAY) if isinstance(outcome, Answered) else None
    return render_turn(number, asking, outcome, seen=seen)


SPINS = told("spin is deprecated.", 1, speaker="Widget 2.0")
GOES = replace(told("spin goes.", 1), group="Breaking")
LAYOUTS: dict[str, tuple[Blocks, str, str, str]] = {
    "yes, and since when": (
        Blocks(statements=(replace(SPINS, verdict="Yes", opening=words_of("Removed in "), leads=True),)),
        "Yes: removed in widget 2.0, 1 May 2024",
        "spin is deprecated. [1]",
        "",
    ),
    "since": (
        Blocks(statements=(replace(SPINS, opening=words_of("Since "), leads=True), told("It turns.", 1))),
        "Since widget 2.0, 1 May 2024",
        "spin is deprecated. [1]",
        "It turns. [1]",
    ),
    "a quote with code": (
        Blocks(statements=(replace(SPINS, code="spin()"),)),
        "widget 2.0, 1 May 2024",
        "spin is deprecated. [1]",
        "",
    ),
    "of one release": (
        Blocks(statements=(SPINS, replace(SPINS, words=words_of("It turns.")))),
        "Widget 2.0",
        "",
        "spin is deprecated. [1]It turns. [1]",
    ),
    "of several": (
        Blocks(statements=(SPINS, told("It turns.", 1, speaker="Widget 1.5"))),
        "2 entries",
        "",
        "Widget 2.0: spin is deprecated. [1]Widget 1.5: It turns. [1]",
    ),
    "of two sides": (
        Blocks(statements=(SPINS, told("It turns.", 1, speaker="Widget 1.5"), told("It.", 1, speaker="Widget 1.5"))),
        "3 entries",
        "",
        "Widget 2.0spin is deprecated. [1]Widget 1.5It turns. [1]It. [1]",
    ),
    "news": (
        Blocks(
            name_of("Widget 2.0") + " (2024-05-01):",
            (GOES, replace(GOES, words=words_of("It turns.")), replace(GOES, group="Fixed"), told("It wobbles.", 1)),
            leads_on=True,
        ),
        "Widget 2.0 (2024-05-01)",
        "",
        "Breakingspin goes. [1]It turns. [1]Fixedspin goes. [1]It wobbles. [1]",
    ),
}


@pytest.mark.parametrize(("blocks", "verdict", "stated", "rest"), LAYOUTS.values(), ids=LAYOUTS)
def test_the_verdict_leads_and_what_else_is_grouped(blocks: Blocks, verdict: str, stated: str, rest: str) -> None:
    markup = render_answer_text(replace(ANSWER, blocks=blocks), "rn-t2")
    whole = re.search(r'<p class="rn-verdict[^"]*">(.*?)</p>', markup)
    resting = re.search(r'<div class="rn-stated"><p>(.*?)</p>', markup)
    assert (PageHtml(whole[1]).text if whole else "") == verdict
    assert (PageHtml(resting[1]).text if resting else "") == stated
    groups = "".join(re.findall(r'<div class="rn-group">.*?</ul></div>', markup))
    assert PageHtml(groups).text == rest
    assert markup.count("spin()") == bool(blocks.statements and blocks.statements[0].code)


def test_a_source_is_a_card_with_its_place_and_links_below_its_document() -> None:
    other = replace(CITATION, n=2, heading=("Widget 2.0", "Fixes"))
    markup = render_sources((CITATION, other), {1: AROUND[1], 2: AROUND[1]}, "rn-t2")
    found = PageHtml(markup)
    assert found.texts("summary")[1] == "2 spin is deprecated.Widget 2.0 › Fixes"
    assert found.texts("footer") == ["widget 2.01 May 2024 Widget 2.0 official"]
    assert found.texts("mark") == ["`spin` is deprecated."] * 2
    # The first is open.
    assert markup.count("<details") == 2
    assert re.findall(r'id="rn-t2-source-(\d)"( open)?', markup) == [("1", " open"), ("2", "")]
    assert found.values("href")[:2] == [
        "/documents/3?start=40&end=61#quote",
        "https://widget.example/2.0#:~:text=spin%20is%20deprecated.",
    ]
    assert "/p/widget/2.0" in found.values("href")


def test_hostile_text_stays_text_wherever_it_stands() -> None:
    asking = Asking(HOSTILE, history=(HOSTILE,), product=HOSTILE, version=HOSTILE)
    covered = render_ways_html([product(HOSTILE)], ASKING, HOSTILE_ANSWER.interpretation, [HOSTILE])
    found = Answered(HOSTILE_ANSWER, HOSTILE_AROUND, covered=covered)
    printed = assert_harmless(
        turn(found, number=1, asking=asking)
        + turn(Failure(HOSTILE, can_retry=True), asking=asking)
        + render(
            "ask",
            "start",
            products=[(one, one.releases[0]) for one in [product(HOSTILE, "1.0", released=DAY)]],
            questions=[HOSTILE],
            example=HOSTILE,
            updated=DAY,
            names=[HOSTILE],
        )
        + render("ask", "follow_ups", asked=[HOSTILE])
    )
    assert printed.tags.count("mark") == printed.tags.count("details") == 1
    assert printed.texts("mark") == [HOSTILE]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//widget.example", None])
def test_only_web_addresses_are_linked(url: str | None) -> None:
    markup = render_sources((replace(CITATION, url=url),), AROUND, "rn-t1")
    assert re.findall(r'href="([^"]+)"', markup) == ["/documents/3?start=40&amp;end=61#quote", "/p/widget/2.0"]


def test_not_found_links_to_what_is_near() -> None:
    near = replace(PASSAGE, heading=("x", HOSTILE))
    blocks = Blocks(words_of("Not found."), (told("spin"),))
    answer = replace(ANSWER, status=Status.NOT_FOUND, blocks=blocks, citations=(), passages=(near,))
    linked = assert_harmless(turn(Answered(answer)))
    assert "/documents/7?start=100&end=160#quote" in linked.values("href")
    assert f"widget · 2.0 · {HOSTILE}" in linked.text
    assert "Look there" not in PageHtml(turn(Answered(replace(answer, blocks=Blocks(words_of("Not found.")))))).text


def test_a_refusal_can_be_tried_again_and_wrong_usage_cannot() -> None:
    refused = turn(Failure("8 questions are being answered already.", can_retry=True))
    assert 'role="alert"' in refused
    assert 'data-again="/?q=Is+spin+deprecated%3F"' in refused
    assert "data-again" not in turn(Failure("Unknown product 'x'.", can_retry=False))


def test_what_is_copied_holds_the_answer_and_its_sources_and_the_link_what_was_seen() -> None:
    found = PageHtml(turn())
    (copied,), (link,) = found.values("data-copy"), found.values("data-copy-link")
    assert "spin is deprecated. [1]" in copied
    assert "https://widget.example/2.0" in copied
    assert link.startswith("/?q=Is+spin+deprecated%3F&seen=20240502.")


def test_ways_on_are_those_of_the_product_asked_about_else_questions() -> None:
    products = [product("a", "1.0"), product("z", "2.0", "1.0")]
    read = replace(ANSWER.interpretation, products=("z",), versions="3.0")
    asked = PageHtml(render_ways_html(products, ASKING, read, ["What is new?"]))
    assert asked.text == "In any versionIn the newest release, 2.0Upgrade zAll of z, 2 releasesLibrary"
    assert asked.values("data-again") == [
        "/?q=Is+spin+deprecated%3F&without=version",
        "/?q=Is+spin+deprecated%3F&version=2.0",
    ]
    others = replace(read, products=(), unknown_products=("a&b",))
    found = PageHtml(render_ways_html(products, ASKING, others, ["What is new?"]))
    assert (found.values("data-question"), found.texts("a")[0]) == (["What is new?"], "Add the notes of a&b")
