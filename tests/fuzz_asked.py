"""What questions, claims and version strings of hostile letters cost over the bundled notes with the real model, and
what plain questions wait while a server answers two of them."""

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.request import Request, urlopen

from fuzz_growing import repeated
from fuzz_growth import Growth
from fuzz_target import REPOSITORY

from corpus.errors import UsageError
from evals.lab.serving import run_ingest, serve_command, started
from retrieval.assistant import Assistant

FORMS = (
    *(
        "İ",
        "1-",
        "a-",
        "Aa ",
        "1.",
        "((",
        "`a` ",
        "v1 ",
        ">=1 ",
        "a",
        "\n- ",
        "a.b ",
        "e\u0301",
        "7",
        "http://a/",
        "# ",
    ),
    *('"', "Aa is gone. ", "it was removed and ", "![", "`", "zwqxv "),
)
SIZES = (500, 1_000, 2_000, 4_000)
"""In letters."""
MAX_S = 1.5
_PLAIN = ("What was deprecated in PyTorch 2.9?", "Is torch.cond stable?", "Which Python does Django 5.1 need?")
_HOSTILE = ("İ", "1-")


def bundled_index(folder: Path) -> Path:
    """An index of the documents that come with the product."""
    run_ingest(REPOSITORY / "corpus/documents", folder / "index")
    return folder / "index"


def asked_growths(index: Path) -> Iterator[Growth]:
    """Each form as a question, a claim, a version filter and a version of an upgrade; seconds of processor time."""
    with Assistant.open(index) as assistant:
        ways: dict[str, Callable[[str], object]] = {
            "question": assistant.ask,
            "claim": assistant.cite,
            "version": lambda text: assistant.ask("What changed?", version=text),
            "upgrade": lambda text: assistant.upgrade("PyTorch", "2.8", text),
        }
        for way, ask in ways.items():
            with suppress(UsageError):
                ask("torch.cond is stable since 2.9.")  # what is loaded once isn't counted
            for form in FORMS:
                took = tuple(_processor_s(ask, repeated(form)(4 * size).decode()[:size]) for size in SIZES)
                yield Growth(f"asked:{way}", repr(form), SIZES, took)


def _processor_s(ask: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    with suppress(UsageError):
        ask(text)
    return time.process_time() - began


def waits_beside_hostile(index: Path) -> tuple[list[float], list[float]]:
    """The seconds that three plain questions take of a server at rest, and while it answers two hostile ones."""
    with started(serve_command(index)) as server, ThreadPoolExecutor(len(_HOSTILE)) as pool:
        ask = partial(_asked_s, f"{server.address}/v1/ask")
        at_rest = [min(ask(question) for _ in range(2)) for question in _PLAIN]
        hostile = [pool.submit(ask, (form * SIZES[-1])[: SIZES[-1]]) for form in _HOSTILE]
        beside = [ask(f"{question} ") for question in _PLAIN]
        return at_rest, [*beside, *(asked.result() for asked in hostile)]


def _asked_s(address: str, question: str) -> float:
    began = time.monotonic()
    body = json.dumps({"question": question}).encode()
    with urlopen(Request(address, body, {"Content-Type": "application/json"}), timeout=120) as response:
        response.read()
    return time.monotonic() - began


def measured() -> tuple[list[Growth], list[float], list[float]]:
    """All of it over an index of its own."""
    with tempfile.TemporaryDirectory(prefix="asked-") as folder:
        index = bundled_index(Path(folder))
        return list(asked_growths(index)), *waits_beside_hostile(index)
