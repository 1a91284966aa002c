"""Peers: each library finds the passage that it was given, with vectors of ours and of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from corpus.embedding import Embedder
from corpus.embedding.default_model import default_model_folder
from corpus.errors import UsageError
from evals.lab.peers.libraries import LISTED, PEERS, open_peers

LIBRARIES = ("chromadb", "haystack", "llama_index", "txtai")
TEXTS = ("The shuttle now reverses at the selvedge.", "A firing ramps by 150 degrees an hour.", "The lid was dropped.")


@pytest.mark.slow
def test_importing_the_libraries_module_loads_no_peer() -> None:
    script = f"import sys, evals.lab.peers.libraries; print(sorted(set({LIBRARIES}) & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_peer_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.lab.peers.libraries.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"chroma: not installed.*pip install '\.\[peers\]'"):
        open_peers(["chroma"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("given", [False, True], ids=["embeds itself", "is given vectors"])
@pytest.mark.parametrize("name", PEERS)
def test_a_library_finds_the_passage(name: str, given: bool, tmp_path: Path, default_embedder: Embedder) -> None:
    try:
        factory = open_peers([name])[name]
    except UsageError as absent:
        pytest.skip(str(absent))
    vectors = default_embedder.embed(list(TEXTS)) if given else [None] * len(TEXTS)
    peer = factory(default_model_folder(), tmp_path)
    peer.store(zip(TEXTS, vectors, strict=True))
    peer.open()
    found = peer.search("How fast does a firing of the kiln heat up?")
    assert found[0] == TEXTS[1]
    assert len(found) <= LISTED
