"""The bot's endpoint in this process, behind every guard, and a Slack that it answers to over the SDK's own client."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from fastapi.testclient import TestClient
from slack_workspace import BOT, SIGNING_SECRET, TEAM, Fault, FaultySlack, event_request, shown_texts
from waiting import until

from ui.http.answering import Answering
from ui.http.guards import BodyLimit, Guard, host_check, token_check
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.settings import load_server_settings
from ui.slack.bot import SlackBot, add_slack_events
from ui.slack.service import open_bot

MENTION = {"type": "app_mention", "user": "U1", "channel": "C1", "ts": "5.6", "text": f"<@{BOT}> Is it gone?"}


@dataclass
class Served:
    """The endpoint behind every guard, and the Slack that it answers to."""

    client: TestClient
    bot: SlackBot
    slack: FaultySlack
    asked: int = field(default=0)

    def send(self, request: httpx.Request) -> Any:
        return self.client.post("/slack/events", content=request.content, headers=dict(request.headers))

    def post(self, payload: dict[str, Any]) -> Any:
        return self.send(event_request("http://localhost", payload))

    def deliver(self, payload: dict[str, Any]) -> None:
        """Send it as Slack does: again where it is refused for now, as on a busy machine."""
        until(lambda: self.post(payload).status_code == 200)

    def posted(self, method: str = "chat.postMessage") -> list[dict[str, Any]]:
        """What was sent to Slack, once all requests are answered or given up."""
        until(lambda: not self.bot.intake._tasks)
        return self.slack.posted(method)

    def answer(self, text: str, channel: str = "C0123") -> str:
        """What is said in a channel to a mention."""
        before = len(self.posted())
        self.asked += 1
        event = MENTION | {"channel": channel, "ts": f"{self.asked}.0", "text": f"<@{BOT}> {text}"}
        self.deliver({"type": "event_callback", "team_id": TEAM, "event": event})
        return "".join(shown_texts(self.posted()[before:]))


@contextmanager
def serving(
    live: LiveAssistant, folder: Path, *, faults: dict[str, list[Fault]] | None = None, products: str = ""
) -> Iterator[Served]:
    with FaultySlack(faults or {}) as slack:
        settings = load_server_settings(
            index=folder,
            slack_bot_token="xoxb-1",
            slack_signing_secret=SIGNING_SECRET,
            slack_api_url=slack.api_url,
            slack_products=products or None,
        )
        app = FastAPI()
        app.add_middleware(BodyLimit)
        app.add_middleware(Guard, check=token_check("a token that Slack does not know"))
        app.add_middleware(Guard, check=host_check(("localhost",)))
        bot = open_bot(settings, Answering(live, QuestionDesk(max_questions=4, timeout_s=60)))
        add_slack_events(app, bot.app, signing_secret=SIGNING_SECRET)
        with TestClient(app, base_url="https://relnotes.tunnel.example", raise_server_exceptions=False) as client:
            yield Served(client, bot, slack)
