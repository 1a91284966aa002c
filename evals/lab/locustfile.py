"""A served index under load, by locust: `make load`, or `locust -f evals/lab/locustfile.py --host ADDRESS`.

Each user asks about the products that the server has, waits a while as people do, and checks what comes: an answer's
quotes are slices of their documents, and a server that is busy says so. Locust counts anything else as a failure.
"""

import random
import re
from functools import lru_cache
from typing import Any

from locust import HttpUser, between, task  # type: ignore[import-not-found]  # an extra of its own

_QUESTIONS = (
    "What is new in {name} {version}?",
    "What breaks in {name} {version}?",
    "Is anything deprecated in {name} {version}?",
    "Which vulnerabilities does {name} {version} fix?",
    "When was {name} {version} released?",
    "Does {name} bake bread?",
)
_BUSY = (429, 503)
_MARKER = re.compile(r"\[(\d+)\]")


class Asker(HttpUser):  # type: ignore[misc]  # locust has no types here
    """Somebody who asks, looks up upgrades and opens the page."""

    wait_time = between(0.5, 2)

    def on_start(self) -> None:
        """Learn what the server knows."""
        documents = self.client.get("/v1/documents").json()["documents"]
        self.versions: dict[str, list[str]] = {}
        for one in documents:
            self.versions.setdefault(one["product"], []).append(one["version"] or "")
        self.products = sorted(self.versions)
        self.text = lru_cache(maxsize=64)(self._text)

    def _text(self, document: int) -> str:
        return str(self.client.get(f"/v1/documents/{document}", name="/v1/documents/{id}").json()["text"])

    @task(8)  # type: ignore[untyped-decorator]
    def ask(self) -> None:
        """Ask a question, and hold the answer to its documents."""
        name = random.choice(self.products)  # noqa: S311 - a choice, not a secret
        question = random.choice(_QUESTIONS).format(name=name, version=random.choice(self.versions[name]))  # noqa: S311
        with self.client.post("/v1/ask", json={"question": question}, catch_response=True) as response:
            if response.status_code in _BUSY and response.headers.get("Retry-After"):
                response.success()
            elif response.status_code == 200 and (fault := self._fault(response.json())):
                response.failure(fault)

    @task(2)  # type: ignore[untyped-decorator]
    def upgrade(self) -> None:
        """List an upgrade over all that is known of a product."""
        name = random.choice(self.products)  # noqa: S311
        ends = {"product": name, "from": self.versions[name][0], "to": self.versions[name][-1]}
        with self.client.get("/v1/upgrade", params=ends, catch_response=True, name="/v1/upgrade") as response:
            if response.status_code in (*_BUSY, 400, 404, 422):
                response.success()

    @task(1)  # type: ignore[untyped-decorator]
    def page(self) -> None:
        """Open the page."""
        self.client.get("/")

    def _fault(self, answer: dict[str, Any]) -> str:
        """What is wrong with an answer; empty where nothing is."""
        cited = {one["n"] for one in answer["citations"]}
        marked = {int(number) for number in _MARKER.findall(re.sub(r"`[^`]*`", "", answer["answer"]))}
        if marked != cited:
            return f"markers {sorted(marked)} beside citations {sorted(cited)}"
        for one in answer["citations"]:
            if self.text(one["document_id"])[one["start"] : one["end"]] != one["quote"]:
                return f"a quote that isn't in {one['source']}"
        return ""
