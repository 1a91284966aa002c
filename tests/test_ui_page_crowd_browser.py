"""Twenty people's questions at once leave the page to the twenty-first; where it is too much, everyone is told so."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from page_browser import running_page, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PEOPLE = 20
REFUSAL = "are being answered already"


def ask_event(config: dict[str, Any], question: str) -> dict[str, Any]:
    """What the page sends when Enter is pressed in the question box, everything else as it is at first."""
    components = {
        component["id"]: component["props"] | {"type": component["type"]} for component in config["components"]
    }
    box = next(number for number, props in components.items() if props.get("elem_id") == "rn-question")
    wired = next(
        dependency
        for dependency in config["dependencies"]
        if [box, "submit"] in [list(target) for target in dependency["targets"]]
    )
    values = [question if number == box else _initial(components[number]) for number in wired["inputs"]]
    return {"data": values, "fn_index": wired["id"], "trigger_id": box}


def _initial(component: dict[str, Any]) -> object:
    value = component.get("value")
    return "" if value is None and component["type"] == "textbox" else value


def ask_as(person: int, address: str, config: dict[str, Any]) -> str:
    """Ask as a visitor of one's own; everything that the page got back."""
    question = f"What is new in PyTorch 2.{8 + person % 5}?"
    session = {"session_hash": f"person{person}"}
    with httpx.Client(base_url=address, timeout=90, trust_env=False) as client:
        client.post("/gradio_api/queue/join", json=ask_event(config, question) | session).raise_for_status()
        with client.stream("GET", "/gradio_api/queue/data", params=session) as events:
            for line in events.iter_lines():
                if '"process_completed"' in line:
                    return json.dumps(json.loads(line.removeprefix("data:"))["output"])
    raise AssertionError(f"person {person} heard nothing")


@contextmanager
def crowd(address: str) -> Iterator[list[Future[str]]]:
    """Twenty people who ask at the same moment."""
    config = httpx.get(f"{address}/config", trust_env=False).json()
    with ThreadPoolExecutor(PEOPLE) as pool:
        yield [pool.submit(ask_as, person, address, config) for person in range(PEOPLE)]


def is_answer(output: str) -> bool:
    """Whether the output is an answer with its text, found or not."""
    return re.search(r"rn-answer rn-(?:answered|partial|not_found)", output) is not None


def test_the_page_opens_and_answers_beside_twenty_who_ask(browser: "Browser", page_address: str) -> None:
    with crowd(page_address) as asked, visit(browser, page_address) as page:
        page.locator("#rn-question textarea").fill("What was deprecated in PyTorch 2.9?")
        page.keyboard.press("Enter")
        page.get_by_role("tab", name="Library").click()
        page.get_by_role("heading", name="Coverage").wait_for()
        page.get_by_role("tab", name="Ask").click()
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
            page.locator("#rn-question textarea").fill("Is widget.spin deprecated?")
            page.keyboard.press("Enter")
            page.locator("#rn-answer .rn-answered").first.wait_for()
