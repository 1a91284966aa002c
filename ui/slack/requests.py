"""What somebody asked for in Slack: the value that is remembered, sealed, until it is answered."""

import base64
import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum

from cryptography.fernet import Fernet, InvalidToken


class RequestKind(StrEnum):
    """What is to be done."""

    QUESTION = "question"
    """Answer a mention or a direct message in its thread."""
    COMMAND = "command"
    """Answer a slash command, to its user alone."""
    FIND_NOTE = "find_note"
    """Find the release note that a message is about."""
    MORE = "more"
    """List passages beyond an answer's quotes."""
    FILTERED = "filtered"
    """Answer a question again, for one product or version."""
    PROMPTS = "prompts"
    """Suggest questions in an assistant's new thread."""


@dataclass(frozen=True, slots=True)
class SlackRequest:
    """One thing asked for."""

    kind: RequestKind
    channel: str
    user: str
    text: str
    """The question, or the message whose note is looked for; as a person reads it, without our own mention."""
    ts: str | None = None
    """The message that asks; None for commands and buttons."""
    thread_ts: str | None = None
    """The thread to answer in; None: only at `response_url`."""
    response_url: str | None = None
    """Where Slack takes an answer that only the user sees."""
    history: tuple[str, ...] = ()
    """Earlier questions where they came along; else they are read from the thread."""
    product: str | None = None
    version: str | None = None
    is_direct: bool = False
    """Asked in a conversation with the bot alone, where every message is meant for it."""
    is_aside: bool = False
    """Asked of nobody in particular, in a thread that began with a question to the bot: people may be meant."""

    @property
    def is_follow_up(self) -> bool:
        """Whether it was asked inside a thread that began before it."""
        return self.ts is not None and self.thread_ts is not None and self.thread_ts != self.ts


class Seal:
    """Encrypts requests with a key made from the bot's token: who can open one can read it in Slack as well."""

    def __init__(self, bot_token: str) -> None:
        digest = hashlib.sha256(b"relnotes slack memory\0" + bot_token.encode()).digest()
        self._fernet = Fernet(base64.urlsafe_b64encode(digest))

    def close(self, request: SlackRequest) -> bytes:
        """The request as bytes that tell nothing without the token."""
        return self._fernet.encrypt(json.dumps(asdict(request)).encode())

    def open(self, sealed: bytes) -> SlackRequest | None:
        """The request again; None where it was sealed with another token."""
        try:
            fields = json.loads(self._fernet.decrypt(sealed))
        except InvalidToken:
            return None
        return SlackRequest(**fields | {"kind": RequestKind(fields["kind"]), "history": tuple(fields["history"])})
