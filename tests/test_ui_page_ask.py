"""The HTML of the Ask tab: hostile documents stay text, markers open cards."""

from dataclasses import replace
from datetime import date

from page_answers import ANSWER, AROUND, HOSTILE, HOSTILE_ANSWER, HOSTILE_AROUND, PASSAGE, product, told
from page_html import PageHtml, assert_harmless

from retrieval.blocks import Blocks, words_of
from retrieval.model import Status
from ui.web.ask.conversation import Answered, Asking, Failure, digest_answer
from ui.web.ask.turn_html import render_turn, render_ways_html
from ui.web.html import render

ASKING = Asking("Is spin deprecated?")
FOUND = Answered(ANSWER, AROUND)
DAY = date(2024, 5, 2)


def turn(outcome: Answered | Failure = FOUND, *, number: int = 2, asking: Asking = ASKING) -> str:
    seen = digest_answer(outcome.answer, today=DAY) if isinstance(outcome, Answered) else None
    return render_turn(number, asking, outcome, seen=seen)


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


def test_not_found_links_to_what_is_near() -> None:
    near = replace(PASSAGE, heading=("x", HOSTILE))
    blocks = Blocks(words_of("Not found."), (told("spin"),))
    answer = replace(ANSWER, status=Status.NOT_FOUND, blocks=blocks, citations=(), passages=(near,))
    linked = assert_harmless(turn(Answered(answer)))
    assert "/documents/7?start=100&end=160#quote" in linked.values("href")
    assert f"widget · 2.0 · {HOSTILE}" in linked.text
    assert "Look there" not in PageHtml(turn(Answered(replace(answer, blocks=Blocks(words_of("Not found.")))))).text


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
    assert (found.values("data-question"), found.texts("a")[0]) == (["What is new?"], "Library")
