"""The page in Chromium: how soon it is seen, how soon one can ask, and how long an answer takes on its way.

A real `relnotes serve` over the bundled documents, and beside it the least that Gradio can be: one text box whose text
comes back. Visits take turns between the two, each with an empty browser cache, then once more with what the first
left; servers are warm. In the page itself are taken: first contentful paint; the moment in which the text box is there
(Gradio draws its controls in the browser, so then it works); and from Enter until the answer has changed the page.

    python -m evals.lab.bench.page [--visits N]
"""

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from evals.command import run_command
from evals.lab.bench.serving import chromium, running, running_relnotes
from evals.suites import CORPUS, load_suite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

_USABLE_LIMIT_MS, _ANSWER_LIMIT_MS = 2000, 300
_STAGES = ("seen", "usable", "seen again", "usable again", "answer")
_ASKED_PER_VISIT = 5

# The plain app as whoever starts with Gradio writes it; a program of its own, as evals imports no web framework.
_PLAIN = """
import gradio
with gradio.Blocks(analytics_enabled=False) as app:
    box, shown = gradio.Textbox(), gradio.HTML(elem_id="shown")
    box.submit(lambda text: f"<p>{text}</p>", box, shown)
_, address, _ = app.launch(prevent_thread_lock=True, quiet=True, server_name="127.0.0.1", ssr_mode=False)
import json, time
print(json.dumps({"address": address.rstrip("/")}), flush=True)
while True: time.sleep(60)
"""

_WATCH = """
new MutationObserver((_, observer) => {
  const box = document.querySelector("textarea");
  if (box && box.offsetHeight) { window.usableAt = performance.now(); observer.disconnect(); }
}).observe(document, {childList: true, subtree: true, attributes: true});
"""
_TIME_ANSWER = """
(place) => {
  const shown = document.querySelector(place);
  for (const old of shown.querySelectorAll(".html-container > div > *")) old.dataset.old = "";
  window.answeredIn = null;
  document.addEventListener("keydown", () => {
    const began = performance.now();
    const observer = new MutationObserver(() => {
      if (!shown.querySelector(".html-container > div > :not([data-old])")) return;
      window.answeredIn = performance.now() - began;
      observer.disconnect();
    });
    observer.observe(shown, {childList: true, subtree: true, characterData: true});
  }, {once: true, capture: true});
}
"""

Times = dict[str, list[float]]
"""For each stage the milliseconds of the visits."""


def measure_visits(browser: "Browser", address: str, place: str, questions: tuple[str, ...], times: Times) -> None:
    """One visitor: comes, comes again, asks; the figures are added to `times`. Answers appear in `place`."""
    visitor = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        times["seen"].append(_visit(visitor, address, times["usable"]))
        times["seen again"].append(_visit(visitor, address, times["usable again"]))
        times["answer"] += _ask(visitor, address, place, questions)
    finally:
        visitor.close()


def _visit(visitor: "BrowserContext", address: str, usable: list[float]) -> float:
    page = visitor.new_page()
    page.add_init_script(_WATCH)
    page.goto(address)
    page.wait_for_function("window.usableAt")
    usable.append(float(page.evaluate("window.usableAt")))
    seen = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    page.close()
    return float(seen)


def _ask(visitor: "BrowserContext", address: str, place: str, questions: tuple[str, ...]) -> Iterator[float]:
    page = visitor.new_page()
    page.goto(address)
    box = page.locator("textarea").first
    box.wait_for()
    page.wait_for_timeout(1000)
    for question in questions:
        box.fill(question)
        page.evaluate(_TIME_ANSWER, place)
        box.press("Enter")
        page.wait_for_function("window.answeredIn !== null")
        yield float(page.evaluate("window.answeredIn"))
        page.wait_for_timeout(200)
    page.close()


def main() -> int:
    """Print the medians; 1 where the page is slower than it may be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=10)
    visits = parser.parse_args().visits
    questions = tuple(question.question for question in load_suite(CORPUS) if not question.history)
    apps: dict[str, Times] = {name: {stage: [] for stage in _STAGES} for name in ("relnotes", "plain Gradio")}
    with (
        running_relnotes(CORPUS.documents) as ours,
        running([sys.executable, "-c", _PLAIN]) as plain,
        chromium() as browser,
    ):
        # The first visit warms the servers and counts nowhere.
        for visit in range(visits + 1):
            first = visit * _ASKED_PER_VISIT % len(questions)
            asked = questions[first : first + _ASKED_PER_VISIT]
            for name, address, place in (("relnotes", ours, "#rn-answer"), ("plain Gradio", plain, "#shown")):
                times = apps[name] if visit else {stage: [] for stage in _STAGES}
                measure_visits(browser, address, place, asked, times)
    print(f"{'median (95th percentile), ms':30}" + "".join(f"{name:>20}" for name in apps))
    for stage in _STAGES:
        cells = (f"{np.median(times[stage]):.0f} ({np.percentile(times[stage], 95):.0f})" for times in apps.values())
        print(f"{stage:30}" + "".join(f"{cell:>20}" for cell in cells))
    ours_times = apps["relnotes"]
    is_slow = np.median(ours_times["usable"]) >= _USABLE_LIMIT_MS or np.median(ours_times["answer"]) >= _ANSWER_LIMIT_MS
    return int(is_slow)


if __name__ == "__main__":
    run_command(main)
