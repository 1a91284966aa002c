"""Packages of npm, fetched by npm itself: from a local registry, and for real where one is reachable."""

import base64
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from connector_place import ConnectorPlace
from notes_server import Answer, NotesServer
from package_server import tar_gz

from ingest.sources.requests import SourceState

LOG = "# Changelog\n\n## 2.0.0\n\n- Removed the lever.\n" + "- And so on.\n" * 200
needs_npm = pytest.mark.skipif(shutil.which("npm") is None, reason="npm isn't installed")


def put(server: NotesServer, name: str, versions: Mapping[str, Mapping[str, str]]) -> None:
    """Publish a package, the last version as the latest."""
    listed = {}
    for version, files in versions.items():
        package = {"name": name, "version": version}
        scripts = {"preinstall": "exit 9", "prepack": "exit 9", "install": "exit 9"}
        tgz = tar_gz({"package/package.json": json.dumps({**package, "scripts": scripts}),
                      **{f"package/{path}": text for path, text in files.items()}})  # fmt: skip
        path = f"/{name}/-/x-{version}.tgz"
        seal = "sha512-" + base64.b64encode(hashlib.sha512(tgz).digest()).decode()
        server.pages[path] = Answer(tgz, headers={"Content-Type": "application/octet-stream"})
        dist = {"tarball": server.url(path), "integrity": seal, "shasum": hashlib.sha1(tgz).hexdigest()}
        listed[version] = {**package, "dist": dist, "repository": {"type": "git", "url": "git+https://x.example/r.git"}}
    whole = {"name": name, "dist-tags": {"latest": list(versions)[-1]}, "versions": listed}
    answer = Answer(json.dumps(whole).encode(), headers={"Content-Type": "application/json"})
    server.pages[f"/{name}"] = server.pages[f"/{name.replace('/', '%2f')}"] = answer


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ConnectorPlace]:
    with ConnectorPlace(tmp_path) as made:
        made.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "npm_config_registry": made.server.url("/"),
            "npm_config_cache": str(tmp_path / "npm-cache"),
            "npm_config_userconfig": str(tmp_path / "npmrc"),
        }
        yield made


@pytest.mark.slow
@needs_npm
def test_the_changelog_of_a_package_is_ingested_by_npm_s_own_settings(place: ConnectorPlace) -> None:
    put(place.server, "@acme/gizmo", {"1.0.0": {}, "2.0.0": {"CHANGELOG.md": LOG, "index.js": "x"}})
    assert place.ingest("npm:@acme/gizmo").failed == ()
    (document,) = place.documents()
    assert (document.source, document.product) == ("npm:@acme/gizmo#CHANGELOG.md", "@acme/gizmo")
    assert place.text("npm:@acme/gizmo#CHANGELOG.md") == LOG
    assert place.ingest("npm:@acme/gizmo").sources[0].state is SourceState.UNCHANGED


@pytest.mark.slow
@needs_npm
def test_an_archive_without_a_changelog_is_a_failure_that_names_the_project(place: ConnectorPlace) -> None:
    put(place.server, "gizmo", {"2.5.0": {"HISTORY.md": LOG}, "3.0.0": {}})
    assert place.ingest("npm:gizmo@2.5.0").failed == ()
    assert place.ingest("npm:gizmo").failed[0].error == (
        "gizmo 3.0.0 ships no changelog; its project is at https://x.example/r"
    )
    assert "has no nothing" in place.ingest("npm:nothing").failed[0].error


@pytest.mark.slow
@needs_npm
def test_settings_of_the_working_directory_do_not_count_and_the_user_s_with_their_token_do(
    place: ConnectorPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(place.server, "gizmo", {"2.0.0": {"CHANGELOG.md": LOG}})
    (tmp_path / "hostile").mkdir()
    monkeypatch.chdir(tmp_path / "hostile")
    Path(".npmrc").write_text("registry=http://127.0.0.1:9/\n")
    Path("package.json").write_text("{}")
    registry = place.environment.pop("npm_config_registry")
    (tmp_path / "npmrc").write_text(f"registry={registry}\n//{place.server.host}/:_authToken=${{TOKEN_OF_MINE}}\n")
    place.environment |= {"TOKEN_OF_MINE": "mine", "npm_config_userconfig": str(tmp_path / "npmrc")}
    assert place.ingest("npm:gizmo").failed == ()
    assert {asked.headers.get("authorization") for asked in place.server.asked} == {"Bearer mine"}
