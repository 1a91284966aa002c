"""Documents of the training set: out of pinned source archives, each checked by its SHA-256."""

import os
from pathlib import Path

import pytest

from corpus.errors import SourceError
from evals.training.fetch import fetch_source, load_sources
from ingest.sources.connectors import ConnectorSettings
from ingest.sources.connectors.pypi import PypiConnector
from ingest.sources.web import WebSettings


def test_committed_sources_name_each_file_of_a_project_once() -> None:
    sources = load_sources()
    paths = [f"{source.project}/{file.name}" for source in sources for file in source.files]
    assert len(paths) == len(set(paths))
    assert len({source.project for source in sources}) == len(sources) == 23


@pytest.mark.slow
@pytest.mark.network
def test_a_committed_source_comes_from_the_index_that_pip_is_set_to(tmp_path: Path) -> None:
    source = next(one for one in load_sources() if one.project == "structlog")
    connector = PypiConnector(ConnectorSettings(WebSettings(environment=os.environ)))
    try:
        connector.fetch("pypi:structlog", state="")
    except SourceError as error:
        pytest.skip(f"the index that pip is set to can't be reached: {error}")
    assert fetch_source(source, tmp_path, archives=connector) == ()
