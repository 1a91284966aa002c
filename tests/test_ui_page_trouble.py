"""What the page says of trouble."""

import asyncio
from unittest.mock import Mock

import pytest

from corpus.errors import IndexCorrupt, IndexNotFound, ModelError, RelnotesError, UsageError
from retrieval.assistant import Assistant
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk, TooManyQuestionsError
from ui.settings import load_server_settings
from ui.web.services import PageServices, tell_trouble

PLACE = "/srv/secret/index"


@pytest.mark.parametrize("kind", [IndexNotFound, IndexCorrupt, ModelError])
def test_no_place_on_the_server_is_named(kind: type[RelnotesError], caplog: pytest.LogCaptureFixture) -> None:
    assert PLACE not in tell_trouble(kind(f"Cannot open {PLACE!r}."))
    assert PLACE in caplog.text


@pytest.mark.parametrize("error", [UsageError("Unknown product: 'x'."), TooManyQuestionsError("Ask again.")])
def test_what_people_can_mend_is_told_as_it_is(error: RelnotesError) -> None:
    assert tell_trouble(error) == str(error)


def test_what_nobody_foresaw_is_told_and_logged(live: LiveAssistant, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Assistant) -> str:
        raise ZeroDivisionError(PLACE)

    services = PageServices(live, QuestionDesk(max_questions=1, timeout_s=30), load_server_settings(), Mock())
    with pytest.raises(RelnotesError) as failed:
        asyncio.run(services.run(fail))
    assert PLACE not in str(failed.value)
    assert "ZeroDivisionError" in caplog.text
