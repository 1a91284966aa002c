"""`relnotes ingest` that waits for a slow source ends when it is told to, and loses nothing."""

import signal
from pathlib import Path

import pytest
from forked_relnotes import ForkedRelnotes
from notes_server import Answer, serving
from waiting import until

from corpus.index.repair import verify_index

pytestmark = pytest.mark.slow
SLOW = Answer(b"# Lid 1.0\n\n- The lid turns.\n" * 40, headers={"Content-Type": "text/markdown"}, pause=5)
"""Takes hours: what waits for it runs into the limit of the test, or of the fetch, which says otherwise."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_is_not_kept_waiting_by_a_source_that_drips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    (tmp_path / "kettle.md").write_text("# Kettle 1.0\n\n- The spout is wider.\n")
    index = tmp_path / "index"
    with serving({"/slow.md": SLOW}) as server:
        monkeypatch.setenv("RELNOTES_ALLOW_PRIVATE_HOSTS", server.host)
        with ForkedRelnotes(tmp_path) as relnotes:
            assert relnotes.run("ingest", tmp_path / "kettle.md", "--index", index).status == 0
            before = relnotes.run("status", "--json", "--index", index).out
            (tmp_path / "kettle.md").write_text("# Kettle 1.1\n\n- The spout is narrower.\n")
            relnotes.start("ingest", tmp_path / "kettle.md", server.url("/slow.md"), "--index", index)
            relnotes.reach("Fetching")
            relnotes.let_on()
            until(lambda: "/slow.md" in server.paths())
            relnotes.signal(number)
            ended = relnotes.end()
            assert ended.status == (130 if number is signal.SIGINT else 1)
            assert "before it was done. The index is whole; run the same command again" in ended.err
            assert relnotes.run("status", "--json", "--index", index).out == before
            assert verify_index(index) == ()
            # Nothing holds the lock any more.
            assert relnotes.run("ingest", tmp_path / "kettle.md", "--index", index).status == 0
