"""What the tabs of the page work with."""

from dataclasses import dataclass

from ui.library.changes import Library
from ui.server.live_assistant import AssistantSource
from ui.server.question_desk import QuestionDesk
from ui.settings import Settings


@dataclass(frozen=True, slots=True)
class PageServices:
    """The server's own parts that the tabs share with its other entrances."""

    assistants: AssistantSource
    desk: QuestionDesk
    settings: Settings
    library: Library
