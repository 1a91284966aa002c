"""The examples of docs/contract.md: words mean one range in an upgrade, a question, over MCP and on the page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from ui.mcp.performing import ask, changes
from ui.web.ask.endpoints import range_asked

RELEASES = "4.0.0rc1 3.1.0 3.0.1 3.0.0 2.4.2 2.4.0 2.1.3 2.1.0 2.0.0 1.9.0".split()
ROWS = re.findall(
    r"(?m)^\| `(\S+) to (\S+)` \| .*?\| ([^|]*) \|$", Path("docs/contract.md").read_text(encoding="utf-8")
)


assert len(ROWS) == 10


@pytest.fixture(scope="module")
def gizmo(tmp_path_factory: pytest.TempPathFactory, default_embedder: Embedder) -> Iterator[Assistant]:
    notes = "".join(f"## {one}\n\n### Removed\n\n- The lever number {n} is gone.\n\n" for n, one in enumerate(RELEASES))
    with open_notes(tmp_path_factory.mktemp("gizmo"), default_embedder, gizmo=f"# Gizmo\n\n{notes}") as gizmo:
        yield gizmo


@pytest.mark.parametrize(("start", "end", "passed"), ROWS, ids=[f"{start} to {end}" for start, end, _ in ROWS])
def test_a_range_is_the_same_wherever_it_is_named(start: str, end: str, passed: str, gizmo: Assistant) -> None:
    upgrade = gizmo.upgrade("gizmo", start, end)
    assert ", ".join(release.version for release in upgrade.releases) == passed
    page = changes(gizmo, "gizmo", start, end, None, 0)
    assert (page["from"], page["to"]) == (upgrade.start, upgrade.end)
    for question in (
        f"what breaks in gizmo from {start} to {end}?",
        f"what was removed in gizmo from {start} to {end}?",
    ):
        answer = gizmo.ask(question)
        assert ", ".join(sorted(one.version or "" for one in answer.citations)) == passed
        assert ask(gizmo, question, (), None, None, 0)["answer"].count("is gone") == len(answer.citations)
    asked = range_asked(gizmo.understand(f"what breaks in gizmo from {start} to {end}?"))
    assert asked
    assert gizmo.upgrade(*asked).releases == upgrade.releases
