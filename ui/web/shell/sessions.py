"""What is kept of each visitor of the page: the conversation, and no description of how the page looked.

Gradio also keeps for each a description of every control, with all that was ever shown in it, so that a link can be
made to that very state of the page: a link that our page doesn't offer (`ui.web.shell.paths`). That took most of a
visitor's memory, and several milliseconds of the event loop for each visitor and each answer.
"""

from copy import copy
from datetime import datetime, timedelta
from typing import Any

from gradio.blocks import Blocks
from gradio.state_holder import SessionState, StateHolder

_KEPT = timedelta(hours=12)
_KEPT_WHEN_CLOSED = timedelta(hours=1)


class PageSessions(StateHolder):  # type: ignore[misc]  # to mypy, Gradio is untyped
    """The visitors of a page, each with a state of their own.

    The one away longest gives way to one too many, and who was away for half a day, or closed the page an hour ago,
    begins anew.
    """

    def set_blocks(self, blocks: Blocks) -> None:
        """Take the page that the visitors are of."""
        super().set_blocks(blocks)
        self._first = SessionState(blocks)

    def __getitem__(self, session_id: str) -> SessionState:
        """A visitor's state; whoever wasn't here before has a new one."""
        if session_id not in self.session_data:
            self.session_data[session_id] = self._begin()
        return super().__getitem__(session_id)

    def delete_all_expired_state(self) -> None:
        """Forget who was away too long; Gradio calls it every second."""
        now = datetime.now()
        for visitor, last in list(self.time_last_used.items()):
            session = self.session_data.get(visitor)
            if session is None or now - last > (_KEPT_WHEN_CLOSED if session.is_closed else _KEPT):
                self.session_data.pop(visitor, None)
                self.time_last_used.pop(visitor, None)

    def _begin(self) -> SessionState:
        session = copy(self._first)
        session.blocks_config = copy(self.blocks.default_config)
        session.blocks_config.config_for_block = _describe
        session.config_values, session.state_data, session._state_ttl = {}, {}, {}
        return session


def _describe(_number: int, *_about: object) -> dict[str, Any]:
    """A control's description: none, in which Gradio then finds no place for what is shown."""
    return {}
