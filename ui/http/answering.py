"""The operations of the API, run at the desk, for HTTP and for clients of Gradio alike."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from corpus.errors import NotIndexed, UsageError
from retrieval.assistant import Assistant
from retrieval.model import Answer
from ui.contract.answer import AnswerBody, ClaimCheckBody, SearchBody
from ui.contract.index import VersionListBody, version_list_body
from ui.contract.upgrade import ReviewBody, UpgradeBody
from ui.http.requests import AskRequest, CiteRequest, ReviewRequest, SearchRequest, UpgradeRequest, VersionsRequest
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import Line, QuestionDesk

Result = TypeVar("Result")


@dataclass(frozen=True)
class Answering:
    """Answers requests with an assistant at the desk; raises their errors. Clients see the methods' docstrings."""

    assistants: LiveAssistant
    desk: QuestionDesk

    async def run(self, ask: Callable[[Assistant], Result], *, line: Line = "questions") -> Result:
        """Return the result of `ask`, called with the assistant in a thread of the desk; errors of both are raised."""

        def work() -> Result:
            with self.assistants.borrow() as assistant:
                return ask(assistant)

        return await self.desk.run(work, line=line)

    async def answer(self, question: str, *, line: Line = "readings", **choices: Any) -> Answer:
        """Answer a question with the `choices` of `Assistant.ask`, and count it."""
        answer = await self.run(lambda assistant: assistant.ask(question, **choices), line=line)
        self.desk.record(answer.question, answer.status)
        return answer

    async def ask(self, request: AskRequest) -> AnswerBody:
        """Answer a question with verbatim, cited quotes; an honest "not found" is an answer too."""
        choices = {"history": request.history, "limit": request.k, **request.filters}
        return AnswerBody.model_validate(await self.answer(request.question, line="questions", **choices))

    async def search(self, request: SearchRequest) -> SearchBody:
        """Rank the passages nearest to a query."""
        result = await self.run(lambda assistant: assistant.search(request.query, limit=request.k, **request.filters))
        return SearchBody.model_validate(result)

    async def cite(self, request: CiteRequest) -> ClaimCheckBody:
        """Check the claims of a text against the notes: a verdict for each, with the quotes that decide."""
        check = await self.run(lambda assistant: assistant.cite(request.text, **request.filters))
        return ClaimCheckBody.model_validate(check)

    async def review(self, request: ReviewRequest) -> ReviewBody:
        """List what the release notes say of the dependencies that a diff bumps and of the symbols it touches."""
        return ReviewBody.model_validate(await self.run(lambda assistant: assistant.review(request.diff)))

    async def upgrade(self, request: UpgradeRequest) -> UpgradeBody:
        """List what breaks, is removed, deprecated, needs action or behaves otherwise between two versions."""
        bounds = request.product, request.start, request.end
        try:
            return UpgradeBody.model_validate(
                await self.run(lambda assistant: assistant.upgrade(*bounds, every=request.every))
            )
        except UsageError as error:
            # Over HTTP, an upgrade to a lower version is an address that doesn't exist (404).
            raise NotIndexed(str(error)) from None

    async def versions(self, request: VersionsRequest) -> VersionListBody:
        """List the versions that are indexed, newest first; a version that isn't listed is not in the library."""
        return await self.run(lambda assistant: version_list_body(assistant, request.product))
