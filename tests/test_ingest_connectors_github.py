"""Repositories on GitHub: releases page by page, else the changelog; against a local server that answers as the API."""

import json
from pathlib import Path

import pytest
from case_files import read_rows
from connector_place import ConnectorPlace
from github_server import API, COMMIT, GithubTwin, rate_limit, release
from notes_server import Answer

from corpus.model import Authority
from ingest.sources.requests import SourceState

pytestmark = pytest.mark.slow
LONG = (
    "- Added a crank that turns the wheel in both directions, which the old lever never did; see the guide for it.\n"
    * 2
)
CHANGELOG = "# Changelog\n\n## 1.1.0\n\n" + LONG + "\n## 1.0.0\n\n- First one.\n"


@pytest.fixture
def twin(place: ConnectorPlace) -> GithubTwin:
    made = GithubTwin(place.server)
    made.releases = [
        release("v2.0.0", f"## Breaking\n\n- Removed the lever.\n{LONG}", name="Two", day="2026-03-01"),
        release("v1.1.0", LONG, day="2026-02-01"),
        release("v1.0.0", LONG, day="2026-01-01"),
        release("v3.0.0", LONG, draft=True),
        release("v0.9.0", "  "),
    ]
    return made


def test_each_release_of_every_page_is_a_document(place: ConnectorPlace, twin: GithubTwin) -> None:
    report = place.ingest("github:acme/gizmo")
    assert (report.added, report.failed) == (3, ())
    found = {one.source: one for one in place.documents()}
    assert list(found) == [f"github:acme/gizmo@v{version}" for version in ("1.0.0", "1.1.0", "2.0.0")]
    two = found["github:acme/gizmo@v2.0.0"]
    assert (two.root, two.product, two.version, str(two.date), two.authority) == (
        "github:acme/gizmo", "gizmo", "2.0.0", "2026-03-01", Authority.OFFICIAL,
    )  # fmt: skip
    assert two.url == "https://github.com/acme/gizmo/releases/tag/v2.0.0"
    assert place.text(two.source).startswith("# Two\n\n## Breaking\n\n- Removed the lever.\n")
    assert [path.partition("page=100")[2] for path in place.server.paths()] == ["", "&page=2", "&page=3"]


def test_nothing_new_costs_only_conditional_requests(place: ConnectorPlace, twin: GithubTwin) -> None:
    place.ingest("github:acme/gizmo")
    place.server.asked.clear()
    report = place.ingest("github:acme/gizmo")
    assert (report.unchanged, report.added, report.updated, report.removed) == (3, 0, 0, 0)
    assert report.sources[0].state is SourceState.UNCHANGED
    assert all("if-none-match" in one.headers for one in place.server.asked)


def test_a_new_release_is_added_an_edited_one_replaced_and_a_deleted_one_removed(
    place: ConnectorPlace, twin: GithubTwin
) -> None:
    place.ingest("github:acme/gizmo")
    twin.releases = [release("v2.1.0", LONG), release("v2.0.0", LONG + "- More."), *twin.releases[2:]]
    report = place.ingest("github:acme/gizmo")
    assert (report.added, report.updated, report.unchanged, report.removed) == (1, 1, 1, 1)


def test_a_token_is_sent_to_the_api_alone(tmp_path: Path) -> None:
    with ConnectorPlace(tmp_path, token="secret") as place:
        twin = GithubTwin(place.server)
        twin.releases = [release("v1", LONG)]
        place.ingest("github:acme/gizmo")
        assert {one.headers["authorization"] for one in place.server.asked} == {"Bearer secret"}
        twin.releases = [release(f"v{number}", LONG) for number in range(3)]
        foreign = '<http://192.0.2.1/next>; rel="next"'
        place.server.pages[f"{API}/repos/acme/gizmo/releases"] = Answer(
            json.dumps(twin.releases).encode(), headers={"Link": foreign}
        )
        report = place.ingest("github:acme/gizmo")
        assert "continues on another host" in report.failed[0].error
        assert "secret" not in report.failed[0].error


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        pytest.param(rate_limit(1_798_761_600), "used up until 2027-01-01 00:00 UTC; set GITHUB_TOKEN", id="the limit"),
        pytest.param(Answer(status=429, headers={"Retry-After": "60"}), "GitHub asks to wait 60 s", id="too fast"),
        pytest.param(Answer(status=403), "check that GITHUB_TOKEN may see it", id="forbidden"),
        pytest.param(Answer(status=401), "GitHub refuses the token", id="a wrong token"),
        pytest.param(Answer(status=404), "GitHub has no acme/gizmo, or shows it only to", id="no repository"),
        pytest.param(Answer(status=502), "502 Bad Gateway; try again later", id="broken"),
        pytest.param(Answer(b"<html>"), "what can't be read; check RELNOTES_GITHUB_API_URL", id="no JSON"),
        pytest.param(Answer(b"[{}]"), "what can't be read", id="other JSON"),
        pytest.param(Answer(b"[" * 100_000), "what can't be read", id="deep JSON"),
    ],
)
def test_what_goes_wrong_is_one_line(place: ConnectorPlace, twin: GithubTwin, answer: Answer, error: str) -> None:
    place.server.pages[f"{API}/repos/acme/gizmo/releases"] = answer
    if answer.status == 404:
        place.server.pages = {}
    report = place.ingest("github:acme/gizmo")
    assert error in report.failed[0].error
    assert "\n" not in report.failed[0].error


def test_a_changelog_serves_where_releases_only_point_to_it(place: ConnectorPlace, twin: GithubTwin) -> None:
    twin.releases = [release("v1.1.0", "See CHANGELOG.md")]
    twin.put_files({"README.md": "# Gizmo", "CHANGELOG.md": CHANGELOG, "setup.py": "x"})
    place.ingest("github:acme/gizmo")
    (document,) = place.documents()
    assert document.source == "github:acme/gizmo#CHANGELOG.md"
    assert document.url == f"https://github.com/acme/gizmo/blob/{COMMIT}/CHANGELOG.md"
    assert document.releases == 2
    assert place.text(document.source) == CHANGELOG


@pytest.mark.parametrize(("tag", "product", "version"), read_rows("ingest-a-tag-tells-version-and-package"))
def test_a_tag_tells_version_and_package(
    place: ConnectorPlace, twin: GithubTwin, tag: str, product: str, version: str | None
) -> None:
    twin.releases = [release(tag, LONG)]
    place.ingest("github:acme/gizmo")
    (document,) = place.documents()
    assert (document.product, document.version) == (product, version)


@pytest.mark.parametrize(("tags", "products"), read_rows("ingest-tags-of-several-names-name-packages"))
def test_tags_of_several_names_name_packages(
    place: ConnectorPlace, twin: GithubTwin, tags: tuple[str], products: tuple[str]
) -> None:
    twin.releases = [release(tag, LONG, name=name or None) for tag, _, name in (one.partition(": ") for one in tags)]
    place.ingest("github:acme/gizmo")
    assert {f"{document.product} {document.version}" for document in place.documents()} == set(products)


def test_a_limit_that_is_reached_loses_nothing(place: ConnectorPlace, twin: GithubTwin) -> None:
    place.ingest("github:acme/gizmo")
    place.server.pages[f"{API}/repos/acme/gizmo/releases"] = rate_limit(1_798_761_600)
    assert not place.ingest("github:acme/gizmo").succeeded
    assert len(place.documents()) == 3
