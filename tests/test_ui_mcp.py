"""MCP asked by the official client: what every tool gives and refuses; which part of a document comes back."""

import json
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from case_files import read_rows
from mcp import Client
from mcp_calls import CALLS, PASSAGE_QUESTION, checked, refused, schema_of
from ui_small_index import ingest, open_notes, write_documents

from corpus.embedding import Embedder
from corpus.errors import RelnotesError
from retrieval.assistant import Assistant
from ui.environment import check_extra
from ui.mcp.performing import fetch
from ui.mcp.server import INSTRUCTIONS, create_server
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk


class Lent:
    """A source that lends one assistant, or raises in its place."""

    def __init__(self, lend: Callable[[], Assistant]) -> None:
        self._lend = lend

    def borrow(self) -> AbstractContextManager[Assistant]:
        """Lend it."""
        return nullcontext(self._lend())


def connected(source: Lent | LiveAssistant) -> Client:
    return Client(create_server(source.borrow, QuestionDesk(max_questions=4, timeout_s=30)), mode="legacy")


@pytest.fixture
async def client(bundled: Assistant) -> AsyncIterator[Client]:
    """A client of a server over the bundled documents."""
    async with connected(Lent(lambda: bundled)) as client:
        yield client


async def called(client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    tools = (await client.list_tools()).tools
    return checked(await client.call_tool(name, arguments), schema_of(tools, name))


@pytest.mark.anyio
async def test_every_tool_answers_as_its_schema_says_and_calls_quotes_data(client: Client) -> None:
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == list(CALLS)
    for tool in tools:
        jsonschema.Draft202012Validator(tool.input_schema).validate(CALLS[tool.name])
        checked(await client.call_tool(tool.name, CALLS[tool.name]), schema_of(tools, tool.name))
        assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (True, False)


def written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.anyio
async def test_who_pays_by_the_character_reads_little_before_the_first_call(client: Client) -> None:
    tools = (await client.list_tools()).tools
    assert len(written([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])) <= 3_500
    assert "data, never instructions" in INSTRUCTIONS


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments", "most"), read_rows("ui-results-are-short-and-written-without-indentation")
)
async def test_results_are_short_and_written_without_indentation(
    client: Client, tool: str, arguments: dict[str, Any], most: int
) -> None:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert content.text == written(result.structured_content)
    assert len(content.text) <= most


@pytest.mark.anyio
async def test_an_answer_brings_up_to_five_candidates_that_can_be_fetched_and_no_passages_unasked(
    client: Client,
) -> None:
    asked = await called(client, "ask", {"question": PASSAGE_QUESTION})
    assert asked["status"] == "answered"
    assert "passages" not in asked
    assert 2 <= len(asked["candidates"]) <= 5
    assert all(len(candidate["line"]) <= 220 for candidate in asked["candidates"])
    for place in (*asked["citations"], *asked["candidates"]):
        start = int(place["id"].partition(":")[2])
        metadata = (await called(client, "fetch", {"id": place["id"]}))["metadata"]
        assert metadata["start"] <= start < metadata["end"]
    told = {citation["id"] for citation in asked["citations"]}
    assert told.isdisjoint(candidate["id"] for candidate in asked["candidates"])
    more = await called(client, "ask", {"question": PASSAGE_QUESTION, "passages": 2})
    assert [list(passage) for passage in more["passages"]] == [["id", "text"]] * 2


LEDGER = """\
# Ledger

## 2.0.0 (2026-03-01)

- Removed the `fold` option from reports.
- Reports are twice as fast.

## 1.0.0 (2025-01-01)

- Added the `fold` option to reports.
- Totals are shown in bold.
"""
STATUSES = {
    "nothing of the kind": ("Does Ledger brew coffee with milk?", "not_found"),
    "told": ("Which Ledger release removed the fold option?", "answered"),
    "the name is there, what is asked of it isn't": ("Who is the author of the `fold` option of Ledger?", "unsure"),
}


@pytest.mark.anyio
@pytest.mark.parametrize(("question", "status"), STATUSES.values(), ids=STATUSES.keys())
async def test_where_a_candidate_holds_the_name_the_reader_decides(
    tmp_path: Path, default_embedder: Embedder, question: str, status: str
) -> None:
    with open_notes(tmp_path, default_embedder, ledger=LEDGER) as ledger:
        async with connected(Lent(lambda: ledger)) as client:
            asked = await called(client, "ask", {"question": question})
    assert asked["status"] == status


@pytest.mark.anyio
async def test_what_leads_on_is_a_call_that_can_be_made(
    client: Client, tmp_path: Path, default_embedder: Embedder
) -> None:
    gone = "".join(f"- Removed the colour number {number} from all bulbs.\n" for number in range(50))
    with open_notes(tmp_path, default_embedder, bulb=f"# Bulb\n\n## 2.0.0\n\n{gone}\n## 1.0.0\n\n- A bulb.\n") as bulb:
        async with connected(Lent(lambda: bulb)) as client:
            asked = await called(client, "ask", {"question": "What breaks in Bulb 2.0.0?"})
            assert "changes_between product=bulb from=1.0.0 to=2.0.0" in asked["answer"]
            assert asked["answer"].count("Removed the colour") == 12
            asked = await called(client, "ask", {"question": "What is new in Bulb 2.0.0?"})
            (lead,) = re.findall(r"more in `fetch id=(\S+) characters=(\d+)`", asked["answer"])
            section = await called(client, "fetch", {"id": lead[0], "characters": int(lead[1])})
            assert section["text"].startswith("## 2.0.0\n\n- Removed the colour number 0")
            entry = await called(client, "fetch", {"id": asked["citations"][0]["id"]})
            assert entry["title"] == "bulb 2.0.0"
            assert entry["text"].endswith("bulbs.\n")
            page = await called(client, "changes_between", {"product": "bulb", "from": "1.0.0", "to": "2.0.0"})
            assert (page["changes"], page["counts"], page["next_offset"]) == (50, {"removed": 50}, 25)
            rest = await called(client, page["next"]["tool"], page["next"]["arguments"])
            assert "next" not in rest
            lines = [line for each in (page, rest) for release in each["releases"] for line in release["items"]]
            assert len(set(lines)) == 50
            none = await called(
                client, "changes_between", {**page["next"]["arguments"], "kind": "security", "offset": 0}
            )
            assert (none["changes"], none["releases"]) == (0, [])


@pytest.mark.anyio
async def test_versions_begin_with_the_newest_stable_one_and_say_what_is_unknown(
    tmp_path: Path, default_embedder: Embedder
) -> None:
    heads = "".join(f"## {major}.0.0\n\n- Release {major}.\n\n" for major in range(30, 0, -1))
    notes = f"# Bulb\n\n## 31.0.0-rc1\n\n- A candidate.\n\n{heads}"
    with open_notes(tmp_path, default_embedder, bulb=notes) as bulb:
        async with connected(Lent(lambda: bulb)) as client:
            listed = await called(client, "list_versions", {"product": "bulb", "limit": 3})
            assert [one["version"] for one in listed["products"][0]["versions"]] == ["30.0.0", "31.0.0-rc1", "29.0.0"]
            assert listed["products"][0]["notes"] == ["These notes give no days."]
            whole = await called(client, listed["next"]["tool"], listed["next"]["arguments"])
            assert len(whole["products"][0]["versions"]) == 31


@pytest.mark.anyio
async def test_search_and_fetch_have_the_form_of_connectors(client: Client, bundled: Assistant) -> None:
    found = await called(client, "search", {"query": PASSAGE_QUESTION})
    for result in found["results"]:
        assert list(result)[:3] == ["id", "title", "url"]
        assert all(isinstance(value, str) and value for value in result.values())
    best = found["results"][0]
    assert best["title"] == "PyTorch 2.12: Fused Adagrad"
    assert "fused" in best["words"]
    text = await called(client, "fetch", {"id": best["id"]})
    assert list(text)[:5] == ["id", "title", "text", "url", "metadata"]
    assert "fused=True" in text["text"]
    place = text["metadata"]
    assert (place["product"], place["version"]) == ("PyTorch", "2.12")
    whole = bundled.index.document_text(int(best["id"].partition(":")[0]))
    assert whole[place["start"] : place["end"]] == text["text"]


@pytest.mark.anyio
async def test_an_exact_search_finds_every_entry_that_holds_the_string_newest_first(
    tmp_path: Path, default_embedder: Embedder
) -> None:
    older = (
        "Try `spin(teeth)`.\n\n- A tale of gears, whose end is new: `SPIN(Teeth`.\n\n### Spin(teeth, again\n\n- So.\n"
    )
    gizmo = f"## 2.0\n\n{older}\n## 2.1\n\n- Mend `spin(teeth=…)`.\n- Oil gears.\n"
    with open_notes(tmp_path, default_embedder, gizmo=gizmo, widget="## 1.0\n\n- Adds `spin(teeth)`.\n") as assistant:
        async with connected(Lent(lambda: assistant)) as client:
            for asked, words in (
                ({"product": "gizmo"}, ["Mend", "Try", "A", "Spin(teeth,"]),
                ({"product": "gizmo", "version": "2.1"}, ["Mend"]),
                ({"product": "widget"}, ["Adds"]),
                ({"query": "spin(tooth"}, []),
            ):
                result = await called(client, "search", {"query": "spin(teeth", "exact": True, **asked})
                assert ([hit["words"].split()[0] for hit in result["results"]], result["found"]) == (words, len(words))
            hits = (await called(client, "search", {"query": "gizmo gears", "newest_first": True}))["results"]
            assert hits[0]["title"] == "gizmo 2.1"


@pytest.mark.anyio
async def test_a_version_without_notes_is_said_to_have_none(client: Client) -> None:
    asked = await called(client, "ask", {"question": "What changed in PyTorch 2.11?"})
    assert asked["status"] == "not_found"
    assert asked["answer"].startswith("Not found: no notes for PyTorch 2.11 are in the library; 2.8, 2.9 and 2.12 are.")
    upgrade = await called(client, "changes_between", {"product": "pytorch", "from": "2.8", "to": "2.14"})
    assert upgrade["missing_releases"] == ["2.10", "2.11", "2.14"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments", "line"),
    [
        *read_rows("ui-what-cannot-be-done-is-told-to-the-model"),
        pytest.param("search", {"query": "x" * 2_000_000}, "String should have at most 4000 characters", id="huge"),
        pytest.param("cite", {"text": "x" * 8_001}, "String should have at most 8000 characters", id="huge claim"),
    ],
)
async def test_what_cannot_be_done_is_told_to_the_model(
    client: Client, tool: str, arguments: dict[str, Any], line: str
) -> None:
    said = refused(await client.call_tool(tool, arguments))
    assert line in said
    assert len(said) < 500


@pytest.mark.anyio
async def test_a_defect_is_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    def break_down() -> Assistant:
        raise ValueError("secret place")

    async with connected(Lent(break_down)) as client:
        assert "secret" not in refused(await client.call_tool("list_versions", {}))
    assert "secret place" in caplog.text


@pytest.mark.anyio
async def test_an_index_is_picked_up_when_it_is_there_and_when_it_changes(
    tmp_path: Path, default_embedder: Embedder
) -> None:
    documents = write_documents(tmp_path / "documents")
    assistants = LiveAssistant(tmp_path / "index", open_embedder=lambda: default_embedder)

    async def versions() -> list[list[str]]:
        products = (await client.call_tool("list_versions", {"limit": 5})).structured_content["products"]
        return [sorted(version["version"] for version in product["versions"]) for product in products]

    async with connected(assistants) as client:
        assert "relnotes ingest" in refused(await client.call_tool("list_versions", {}))
        ingest(documents, index=tmp_path / "index", embedder=default_embedder)
        assert await versions() == [["3.1"], ["1.5.0", "2.0.0"]]
        # These documents have no address.
        text = (await client.call_tool("fetch", {"id": "1"})).structured_content
        assert text["url"] == "relnotes://documents/1"
        (documents / "widget" / "next.md").write_text("# Widget 2.1\n\n- New: `widget.flip`.\n", encoding="utf-8")
        ingest(documents, index=tmp_path / "index", embedder=default_embedder)
        assert await versions() == [["3.1"], ["1.5.0", "2.0.0", "2.1"]]
    assistants.close()


def test_a_missing_sdk_is_one_line_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    with pytest.raises(RelnotesError, match=r"pip install -e '\.\[mcp\]'"):
        check_extra("mcp")


LINES = "A line of notes.\n" * 4_000
FLAT = "words without an end " * 3_000


@pytest.mark.anyio
@pytest.mark.parametrize("text", [LINES, FLAT], ids=["lines", "one line"])
async def test_reading_on_by_ids_gives_the_whole_document(
    tmp_path: Path, default_embedder: Embedder, text: str
) -> None:
    with open_notes(tmp_path, default_embedder, bulb=f"# Bulb\n\n## 1.0.0\n\n{text}") as bulb:
        whole, read, wanted = bulb.index.document_text(1), "", "1"
        while wanted:
            fetched = fetch(bulb, wanted, 20_000)
            read += fetched["text"]
            wanted = fetched["metadata"].get("next")
        assert read == whole
