"""Twenty people's questions at once leave the page to the twenty-first; where it is too much, everyone is told so."""

import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from page_browser import running_page, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PEOPLE = 20
REFUSAL = "are being answered already"


def ask_as(person: int, address: str) -> str:
    """Ask as the page does; the turn that the page got back."""
    question = {"q": f"What is new in PyTorch 2.{8 + person % 5}?"}
    return httpx.post(f"{address}/page/ask", data=question, timeout=90, trust_env=False).raise_for_status().text


@contextmanager
def crowd(address: str) -> Iterator[list[Future[str]]]:
    """Twenty people who ask at the same moment."""
    with ThreadPoolExecutor(PEOPLE) as pool:
        yield [pool.submit(ask_as, person, address) for person in range(PEOPLE)]


def is_answer(output: str) -> bool:
    """Whether the output is an answer with its text, found or not."""
    return re.search(r"rn-answer rn-(?:answered|partial|not_found)", output) is not None


def test_the_page_opens_and_answers_beside_twenty_who_ask(browser: "Browser", page_address: str) -> None:
    with crowd(page_address) as asked, visit(browser, page_address) as page:
        page.locator("#rn-question").fill("What was deprecated in PyTorch 2.9?")
        page.keyboard.press("Enter")
        page.locator("#rn-answer .rn-answer").first.wait_for()
        assert page.locator("#rn-answer .rn-answer").first.inner_text().strip()
        outputs = [answer.result() for answer in asked]
    assert [number for number, output in enumerate(outputs) if not is_answer(output)] == []


def test_who_is_too_much_is_told_so_and_answered_later(browser: "Browser", small_index: Path) -> None:
    limits = {"RELNOTES_MAX_QUESTIONS": "1", "RELNOTES_MAX_WAITING": "2"}
    with running_page(small_index, **limits) as address:
        with crowd(address) as asked:
            outputs = [answer.result() for answer in asked]
        answered = [output for output in outputs if is_answer(output)]
        assert answered
        assert all(REFUSAL in output for output in outputs if output not in answered)
        with visit(browser, address) as page:
            page.locator("#rn-question").fill("Is widget.spin deprecated?")
            page.keyboard.press("Enter")
            page.locator("#rn-answer .rn-answered").first.wait_for()
