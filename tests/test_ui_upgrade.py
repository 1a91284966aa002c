"""`relnotes upgrade` and GET /v1/upgrade over one index: the contract's JSON, what people read, and what goes wrong."""

import json
from pathlib import Path

import cli_calls
import pytest
from case_files import read_rows
from cli_calls import fails
from http_apps import api_client
from small_corpus import HashedEmbedder
from typer.testing import Result
from ui_small_index import NOTES
from upgrade_notes import index_notes

from ui.server.live_assistant import LiveAssistant

CHANGELOG = (NOTES / "upgraded" / "widget" / "CHANGELOG.md").read_text("utf-8")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return index_notes(tmp_path_factory.mktemp("upgrade"), {"CHANGELOG.md": CHANGELOG})


def run(*words: str | Path) -> Result:
    return cli_calls.run("upgrade", *words)


def test_json_is_the_contract(index: Path) -> None:
    body = json.loads(run("Widget", "v1.9", "2.0", "--index", index, "--json").stdout)
    assert list(body) == ["product", "from", "to", "releases", "security", "missing_releases", "notes", "other"]
    assert (body["product"], body["from"], body["to"]) == ("widget", "1.9", "2.0")
    assert body["missing_releases"] == ["1.9.1"]
    (release,) = body["releases"]
    assert (release["version"], release["date"]) == ("2.0.0", "2024-05-01")
    assert [(item["kind"], item["change"]) for item in release["items"]] == [
        ("removal", "removed"),
        ("removal", "removed"),
        ("breaking", "requirement"),
        ("deprecation", "deprecated"),
    ]
    spin = release["items"][0]
    assert spin["summary"] == "The `widget.spin` function is removed, use `widget.turn` `[0]`."
    assert spin["symbols"] == ["widget.spin", "widget.turn"]
    assert (spin["repeated_in"], spin["usages"]) == ([], [])
    citation = spin["citation"]
    assert citation["quote"] == CHANGELOG[citation["start"] : citation["end"]]
    assert citation["source"] == "widget/CHANGELOG.md"
    assert [item["kind"] for item in body["security"]] == ["security"]


@pytest.mark.parametrize(("words", "because"), read_rows("ui-wrong-usage-of-upgrade-is-one-line"))
def test_wrong_usage_is_one_line(words: tuple[str, ...], because: str, index: Path) -> None:
    fails("upgrade", *words, "--index", index, status=2, because=because)


def test_http_gives_the_same_json(index: Path) -> None:
    client = api_client(LiveAssistant(index, open_embedder=HashedEmbedder))
    response = client.get("/v1/upgrade", params={"product": "widget", "from": "1.9", "to": "latest"})
    assert response.status_code == 200
    assert response.json() == json.loads(run("widget", "1.9", "latest", "--index", index, "--json").stdout)
