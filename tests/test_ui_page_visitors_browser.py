"""The page for whoever comes: impatient, with a token that may only read, between tabs, or just as the index goes."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page_browser import running_page, visit

from ui.http.tokens import TokenScope, mint_token

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ASKED, UNKNOWN = "What replaces widget.spin?", "Does Photoshop 9 print?"


def _ask(page: "Page", question: str) -> None:
    page.locator("#rn-question").fill(question)
    page.keyboard.press("Enter")


def _asked(page: "Page", *questions: str) -> None:
    """Wait until just these have been asked."""
    page.locator(f"#rn-turn-{len(questions)} .rn-tools").wait_for()
    assert page.locator(".rn-asked").all_inner_texts() == list(questions)


def test_a_question_that_comes_too_early_waits(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address) as page:
        _ask(page, UNKNOWN)
        _ask(page, ASKED)
        _asked(page, UNKNOWN, ASKED)
        assert page.locator("#rn-question").input_value() == ""


def test_a_second_enter_asks_nothing_twice(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address) as page:
        page.locator("#rn-question").fill(ASKED)
        # In one go: an answer that came between two keys would end what the second one must wait for.
        enter = "new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })"
        page.locator("#rn-question").evaluate(f"box => [1, 2].forEach(() => box.dispatchEvent({enter}))")
        _asked(page, ASKED)
        assert page.locator("#rn-said").inner_text() == ""


def test_what_is_asked_while_a_stream_ends_is_answered(browser: "Browser", own_address: str) -> None:
    late_end = """() => {
        const fetched = window.fetch;
        window.fetch = async (request, options) => {
            const response = await fetched(request, options);
            if (!String(request.url || request).includes("/queue/data")) return response;
            const late = new TransformStream({ async transform(chunk, to) {
                const text = new TextDecoder("latin1").decode(chunk);
                const end = text.indexOf('data: {"msg":"close_stream"');
                if (end >= 0) {
                    to.enqueue(chunk.slice(0, end));
                    await new Promise((done) => setTimeout(done, 1000));
                }
                to.enqueue(chunk.slice(Math.max(end, 0)));
            } });
            return new Response(response.body.pipeThrough(late), response);
        };
    }"""
    with visit(browser, own_address) as page:
        page.add_init_script(f"({late_end})()")
        page.goto(f"{own_address}/?tab=review")
        for claim in ("widget.spin is deprecated in widget 2.0.", "widget 2.0 removed widget.turn."):
            page.locator("#rn-review-text textarea").fill(claim)
            page.locator("#rn-review-run").click()
            page.locator("#rn-review-result .rn-claim", has_text=claim[:12]).wait_for()
            page.locator("#rn-review-result mark", has_text=claim[:-1]).first.wait_for()


def test_each_tab_keeps_its_address(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address) as page:
        _ask(page, ASKED)
        page.locator("#rn-answer .rn-tools").wait_for()
        asked_at = page.url
        assert "?q=What+replaces" in asked_at
        page.get_by_role("tab", name="Review").click()
        assert page.url == f"{own_address}/?tab=review"
        page.get_by_role("tab", name="Ask").click()
        assert page.url == asked_at
        page.reload()
        page.locator("#rn-answer .rn-tools").wait_for()
        _asked(page, ASKED)


def test_a_link_with_too_long_a_question_says_so(browser: "Browser", own_address: str) -> None:
    with visit(browser, f"{own_address}/?q={'x' * 4_001}") as page:
        assert "longer than a question may be" in page.get_by_role("alert").inner_text()


def test_who_may_only_read_is_offered_nothing_else(browser: "Browser", small_index: Path, tmp_path: Path) -> None:
    token = mint_token("reader", scopes=[TokenScope.READ], today=date.today(), days=None)
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(token.lines, encoding="utf-8")
    credentials = {"username": "anybody", "password": token.secret}
    with (
        running_page(small_index, RELNOTES_TOKENS_FILE=str(tokens)) as address,
        visit(browser, f"{address}/?tab=library", http_credentials=credentials) as page,
    ):
        page.locator("#rn-documents").wait_for()
        page.locator("#rn-library-permission p").wait_for()
        assert "scope write" in page.locator("#rn-library-permission").inner_text()
        for gone in ("#rn-files", "#rn-address", "#rn-add", "#rn-sync", "[data-remove]"):
            assert page.locator(gone).count() == 0, gone
        for path in ("/library/uploads?name=a.md", "/library/documents/1/remove"):
            assert page.request.post(f"{address}{path}", data="x").status == 403


def test_an_index_that_goes_is_told_on_every_tab_without_its_place(
    browser: "Browser", own_address: str, own_index: Path
) -> None:
    with visit(browser, own_address) as page:
        page.locator("#rn-start button").first.wait_for()
        # An example is offered where there is an index as the tab is opened.
        page.get_by_role("tab", name="Review").click()
        page.locator("#rn-example-diff").wait_for()
        page.get_by_role("tab", name="Ask").click()
        away = own_index.rename(own_index.with_name("away"))
        try:
            _ask(page, ASKED)
            page.locator("#rn-answer .rn-failure").wait_for()
            page.get_by_role("tab", name="Upgrade").click()
            page.locator("#rn-upgrade-show").click()
            page.locator("#rn-upgrade-result .rn-failure").wait_for()
            page.get_by_role("tab", name="Review").click()
            page.locator("#rn-example-diff").click()
            page.locator("#rn-review-result .rn-failure").wait_for()
            for result in ("answer", "upgrade-result", "review-result"):
                printed = str(page.locator(f"#rn-{result}").text_content())
                assert "No index can be served" in printed
                assert str(own_index) not in printed
        finally:
            away.rename(own_index)
        page.get_by_role("tab", name="Ask").click()
        page.get_by_role("button", name="Try again").click()
        page.locator("#rn-answer .rn-marker").first.wait_for()
