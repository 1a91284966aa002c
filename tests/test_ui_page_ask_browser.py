"""The Ask tab in the browser: from typing to the marked quote, follow-ups, chips, links, hostile documents."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page_browser import WIDTHS, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REPOSITORY = Path(__file__).parents[1]
FASTER = "How much faster is batched eigendecomposition on CUDA in PyTorch 2.12?"
NEW = "What is new in PyTorch 2.9?"


def question_box(page: "Page") -> "Locator":
    """The page's first text box."""
    return page.locator("textarea, input[type=text], input:not([type])").first


def chips_of(turn: "Locator") -> str:
    """What the turn's chips say."""
    return " ".join(turn.locator(".rn-chips").inner_text().split())


def ask(page: "Page", question: str, *, turn: int = 1) -> "Locator":
    """Type a question, press Enter, and wait for its turn's answer."""
    question_box(page).fill(question)
    question_box(page).press("Enter")
    return answered(page, turn)


def answered(page: "Page", turn: int) -> "Locator":
    """The turn, once its answer stands there."""
    found = page.locator(f"#rn-turn-{turn}")
    found.locator(".rn-answer").wait_for()
    return found


def talk_names(page: "Page") -> list[str]:
    """What the list of conversations has, which is shut again."""
    page.get_by_role("button", name="History").click()
    talks = page.get_by_role("dialog", name="History")
    names = talks.locator(".rn-talk-name").all_inner_texts()
    talks.get_by_role("button", name="Close").click()
    return names


def test_a_question_is_answered_with_its_quote_marked_by_keyboard_alone(browser: "Browser", page_address: str) -> None:
    from playwright.sync_api import expect

    with visit(browser, page_address) as page:
        # The box has the focus when the page is there.
        expect(page.locator("#rn-question")).to_be_focused()
        page.keyboard.type(FASTER)
        page.keyboard.press("Enter")
        turn = answered(page, 1)
        marker = turn.locator("button.rn-marker").first
        card = page.locator(f"#{marker.get_attribute('data-card')}")
        mark = card.locator("mark").first
        assert marker.inner_text() == "[1]"
        # The quote is in sight beside the answer.
        assert mark.is_visible()
        # From the box it is one step to the answer.
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(marker).to_be_focused()
        page.keyboard.press("Enter")
        assert mark.is_visible()
        assert marker.get_attribute("aria-expanded") == "true"
        documents = (REPOSITORY / "corpus" / "documents" / "pytorch").glob("*.md")
        assert any(str(mark.text_content()) in document.read_text(encoding="utf-8") for document in documents)
        footer = turn.locator(".rn-of-one footer").first
        assert {"PyTorch", "2.12"} <= set(footer.inner_text().split())
        assert footer.locator(".rn-badge").inner_text() == "digest"
        assert str(card.locator(".rn-place a").first.get_attribute("href")).startswith("/documents/")
        marker.press("Enter")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.tagName.toLowerCase()") == "blockquote"
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.className") == "rn-marker"
        said = turn.locator(".rn-answer").inner_text().split("\n", 1)[0]
        expect(page.locator("[role=status][aria-live=polite]")).to_have_text(said)


def test_a_follow_up_leans_on_the_question_before_and_the_conversation_lasts(
    browser: "Browser", page_address: str
) -> None:
    with visit(browser, page_address) as page:
        first = ask(page, NEW)
        first.locator("button.rn-marker").first.click()
        assert first.locator("mark").first.is_visible()
        second = ask(page, "and in 2.8?", turn=2)
        assert question_box(page).input_value() == ""
        assert chips_of(second).startswith("Product PyTorch × Version 2.8 ×")
        assert [heading.inner_text() for heading in page.locator(".rn-turn h2").all()] == [NEW, "and in 2.8?"]
        # What was open in the first answer still is, and the box is still in sight.
        assert page.locator("#rn-turn-1 mark").first.is_visible()
        box = question_box(page).bounding_box()
        assert box is not None
        assert 0 < box["y"] < 1000
        page.reload()
        for number, asked in ((2, "and in 2.8?"), (1, NEW)):
            assert answered(page, number).locator("h2").inner_text() == asked
        page.goto(f"{page_address}/api")
        page.go_back()
        answered(page, 1)
        assert page.locator(".rn-turn h2").all_inner_texts() == [NEW, "and in 2.8?"]
        # Tomorrow, from a bare address.
        page.goto(page_address)
        page.get_by_role("button", name=NEW).click()
        answered(page, 2)
        assert ask(page, "and in 2.9?", turn=3).locator("h2").inner_text() == "and in 2.9?"
        page.go_back()
        page.locator(".rn-start").wait_for()
        page.go_forward()
        answered(page, 3)
        page.get_by_role("button", name="New question").click()
        page.locator(".rn-start").wait_for()
        assert page.locator(".rn-turn").count() == 0
        page.wait_for_url(f"{page_address}/")


def test_a_link_from_elsewhere_asks_only_once_entered(browser: "Browser", page_address: str) -> None:
    from playwright.sync_api import expect

    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/page/ask") else None)
    link = f"{page_address}/?q=and+for+CUDA%3F&after={NEW.replace(' ', '+')}&product=PyTorch"
    elsewhere = f'<meta name="referrer" content="no-referrer"><a href="{link}">x</a>'
    page.route("http://elsewhere.test/", lambda route: route.fulfill(body=elsewhere, content_type="text/html"))
    page.goto("http://elsewhere.test/")
    page.click("a")
    expect(question_box(page)).to_have_value("and for CUDA?")
    expect(page.locator("#rn-filter-chips li")).to_have_text(["Only product PyTorch×"])
    assert not asked
    question_box(page).press("Enter")
    answered(page, 1)
    assert "after=What+is+new" in page.url
    assert len(asked) == 1
    # What is loaded again, or linked to from here, asks.
    page.goto("http://elsewhere.test/")
    page.click("a")
    expect(question_box(page)).to_have_value("and for CUDA?")
    page.reload()
    answered(page, 1)
    page.goto(f"{page_address}/api")
    page.evaluate("link => location.href = link", link)
    answered(page, 1)
    assert len(asked) == 3
    page.context.close()


def test_conversations_are_listed_renamed_and_deleted(browser: "Browser", page_address: str) -> None:
    from playwright.sync_api import expect

    older = "What is new in PyTorch 2.8?"
    with visit(browser, page_address) as page:
        ask(page, NEW)
        page.get_by_role("button", name="New question").click()
        page.locator(".rn-start").wait_for()
        ask(page, older)
        page.get_by_role("button", name="History").click()
        talks = page.get_by_role("dialog", name="History")
        names = talks.locator(".rn-talk-name")
        assert names.all_inner_texts() == [older, NEW]
        talks.get_by_role("button", name=f"Rename {NEW}").click()
        talks.get_by_role("textbox", name="Name of the conversation").fill("Nine")
        page.keyboard.press("Enter")
        expect(names).to_have_text([older, "Nine"])
        # The one that is shown goes, and is shown again where that is undone.
        talks.get_by_role("button", name=f"Delete {older}").click()
        expect(names).to_have_text(["Nine"])
        talks.get_by_role("button", name="Undo").click()
        expect(page.locator("#rn-turn-1 h2")).to_have_text(older)
        expect(names).to_have_count(2)
        talks.get_by_role("button", name="Delete all").click()
        expect(names).to_have_count(0)
        talks.get_by_role("button", name="Undo").click()
        names.get_by_text("Nine").click()
        expect(page.locator("#rn-turn-1 h2")).to_have_text(NEW)
        answered(page, 1)
        # It keeps the name that it was given while it was open when it goes on.
        page.get_by_role("button", name="History").click()
        talks.get_by_role("button", name="Rename Nine").click()
        talks.get_by_role("textbox", name="Name of the conversation").fill("Ten")
        page.keyboard.press("Enter")
        talks.get_by_role("button", name="Close").click()
        ask(page, "and in 2.8?", turn=2)
        assert talk_names(page)[0] == "Ten"
        page.get_by_role("button", name="History").click()
        talks.get_by_role("button", name="Delete Ten").click()
        talks.get_by_role("button", name="Close").click()
        page.locator(".rn-start").wait_for()
        assert page.locator(".rn-turn").count() == 0
        page.wait_for_url(f"{page_address}/")
        ask(page, "Is widget.spin deprecated?")
        assert talk_names(page) == ["Is widget.spin deprecated?", older]


def test_ctrl_k_leads_to_the_question_box_from_any_page(browser: "Browser", page_address: str) -> None:
    from playwright.sync_api import expect

    with visit(browser, f"{page_address}/library") as page:
        page.keyboard.press("Control+k")
        page.wait_for_url(f"{page_address}/")
        question_box(page).fill("What is new?")
        page.get_by_role("button", name="Only one product or version").focus()
        page.keyboard.press("Control+k")
        expect(question_box(page)).to_be_focused()
        page.keyboard.type("Other")
        assert question_box(page).input_value() == "Other"


def test_on_a_phone_a_source_comes_up_over_the_answer_and_goes_again(browser: "Browser", page_address: str) -> None:
    viewport = {"width": WIDTHS["phone"], "height": 844}
    # Without motion: what scrolls smoothly has no place to come back to yet.
    with visit(browser, page_address, viewport=viewport, reduced_motion="reduce") as page:
        turn = ask(page, NEW)
        marker = turn.locator(".rn-marker").last
        marker.scroll_into_view_if_needed()
        before = page.evaluate("scrollY")
        marker.click()
        sheet = turn.locator(".rn-sheet[open]")
        assert sheet.locator("mark").first.is_visible()
        page.keyboard.press("Escape")
        assert sheet.count() == 0
        assert page.evaluate("document.activeElement.className") == "rn-marker"
        assert page.evaluate("scrollY") == before
        marker.click()
        page.go_back()
        page.locator(".rn-turn:not(:has(.rn-sheet[open]))").wait_for()


def test_what_another_program_left_in_the_store_ends_nothing(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        for stored in (
            "7",
            "[7]",
            '[{"id": 7}]',
            '[{"id": "x", "turns": [{"link": "javascript:1"}]}]',
            '{"a": 1}',
            "[",
        ):
            page.evaluate("stored => localStorage.setItem('relnotes-conversations', stored)", stored)
            page.goto(page_address)
            assert chips_of(ask(page, NEW)).startswith("Product PyTorch"), stored


def test_what_is_wrong_with_a_question_is_said(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        page.get_by_role("button", name="Ask", exact=True).click()
        page.locator("#rn-said", has_text="Type a question first").wait_for()
        assert page.locator(".rn-turn").count() == 0
        page.get_by_role("button", name="Only one product or version").click()
        page.locator("#rn-version").fill("not a version")
        turn = ask(page, "What is new?")
        assert turn.get_by_role("alert").inner_text()
        assert turn.get_by_role("button", name="Try again").count() == 0


def test_enter_in_a_filter_takes_it_or_asks(browser: "Browser", page_address: str) -> None:
    from playwright.sync_api import expect

    with visit(browser, page_address) as page:
        for field, value in (("product", "widget"), ("version", "2.0.0"), ("product", "")):
            page.get_by_role("button", name="Only one product or version").click()
            page.locator(f"#rn-{field}").fill(value)
            page.locator(f"#rn-{field}").press("Enter")
            expect(page.locator("#rn-filters")).to_be_hidden()
            expect(question_box(page)).to_be_focused()
            assert page.locator("#rn-said").inner_text() == ""
        expect(page.locator("#rn-filter-chips li")).to_have_text(["Only version 2.0.0×"])
        page.get_by_role("button", name="Only one product or version").click()
        question_box(page).fill("What is deprecated?")
        page.locator("#rn-product").fill("widget")
        page.locator("#rn-product").press("Enter")
        assert "Only product widget" in chips_of(answered(page, 1))
        # The box of a product's page, left empty, leads to the same.
        page.goto(f"{page_address}/p/widget")
        page.get_by_role("textbox", name="Ask about widget").press("Enter")
        page.wait_for_url(f"{page_address}/?*")
        expect(page.locator("#rn-filter-chips li")).to_have_text(["Only product widget×"])
        expect(question_box(page)).to_be_focused()


def test_a_copy_has_the_told_words_the_release_and_where_it_is_said(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address, permissions=["clipboard-read", "clipboard-write"]) as page:
        copies = []
        for n, question in enumerate((FASTER, "Is widget.spin deprecated?"), start=1):
            ask(page, question, turn=n).get_by_role("button", name="Copy with sources").click()
            page.get_by_role("button", name="Copied").wait_for()
            copies.append(page.evaluate("navigator.clipboard.readText()").rpartition("\n\n")[2].strip())
            page.get_by_role("button", name="Copied").wait_for(state="detached")
        told, address = copies[0].split("\n")
        assert re.match(r"\[\d\] PyTorch 2.12 · .* · digest · ", told)
        assert address.startswith("https://pytorch.org/")
        assert copies[1] == (
            "[1] widget 2.0.0 · 1 May 2024 · official · Widget release notes: "
            "`widget.spin` is deprecated. Use `widget.turn` instead.\nwidget/changes.md"
        )
