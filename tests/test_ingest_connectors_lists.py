"""What lists other sources: files of dependencies."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from case_files import read_rows
from connector_place import ConnectorPlace
from package_server import PackageIndex, tar_gz
from test_ingest_connectors_pypi import LOG, surroundings

from ingest.releases.identity import Hints
from ingest.sources.requests import Request, is_manifest, plan_requests, read_manifest

FILES = {
    "requirements.txt": "# ours\nDjango>=4.2\nrequests[socks]==2.31 ; python_version > '3'\n-r other.txt\ndjango\n",
    "requirements-dev.in": "pytest\n",
    "pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.11"\ndependencies = ["httpx>=0.28", "rich"]\n',
    "uv.lock": '[[package]]\nname = "anyio"\nversion = "4.0"\n',
    "poetry.lock": '[[package]]\nname = "attrs"\nversion = "24.1.0"\n',
    "package.json": '{\n "engines": {"node": ">=18"},\n "dependencies": {"@vue/core": "^3.0.0", "axios": "1.0.0"}\n}',
    "package-lock.json": '{\n "packages": {\n  "node_modules/left-pad": {\n   "version": "1.3.0"\n  }\n }\n}',
}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ConnectorPlace]:
    with ConnectorPlace(tmp_path) as made:
        made.environment = surroundings(PIP_INDEX_URL=made.server.url("/simple"))
        yield made


@pytest.mark.parametrize(("name", "expected"), read_rows("ingest-each-dependency-of-a-file-is-a-source"))
def test_each_dependency_of_a_file_is_a_source(tmp_path: Path, name: str, expected: tuple[str, ...]) -> None:
    file = tmp_path / name
    file.write_text(FILES[name])
    assert is_manifest(file)
    assert read_manifest(file) == expected


def test_a_dependency_that_several_files_state_is_one_source(place: ConnectorPlace) -> None:
    for name in ("requirements.txt", "pyproject.toml"):
        (place.root / name).write_text(
            "django\n" if name.endswith("txt") else FILES[name] + '[dependency-groups]\ndev = ["django"]\n'
        )
    requests = [Request(str(place.root / name), Hints()) for name in ("requirements.txt", "pyproject.toml")]
    plan = plan_requests([*requests, Request("pypi:Django", Hints())], connectors=place.connectors())
    assert [one.argument for one in plan.wanted] == ["pypi:django", "pypi:httpx", "pypi:rich"]


@pytest.mark.slow
def test_all_dependencies_are_ingested_and_those_without_notes_are_listed(place: ConnectorPlace) -> None:
    index = PackageIndex(place.server)
    index.put("gizmo", "gizmo-9.0.tar.gz", tar_gz({"gizmo-9.0/NEWS": LOG}))
    index.put("widget", "widget-1.0.tar.gz", tar_gz({"widget-1.0/README": LOG}))
    manifest = place.root / "requirements.txt"
    manifest.write_text("gizmo\nwidget\nsprocket\n")
    report = place.ingest(manifest)
    assert report.added == 1
    assert [one.source for one in report.failed] == ["pypi:widget", "pypi:sprocket"]
    place.server.asked.clear()
    again = place.ingest(manifest)
    assert (again.unchanged, again.failed) == (1, report.failed)
    assert [path for path in place.server.paths() if path.startswith("/files/")] == []
    index.put("widget", "widget-9.1.tar.gz", tar_gz({"widget-9.1/NEWS": LOG}))
    assert place.ingest(manifest).added == 1
