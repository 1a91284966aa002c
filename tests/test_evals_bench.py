"""What the benchmarks compute of what they measure: passes, recall, growth; what processes take; grown indexes."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from small_corpus import HashedEmbedder, encoded, parsed

from corpus.errors import RelnotesError, UsageError
from corpus.index.reader import IndexReader
from evals.lab import processes
from evals.lab.grown import Grown, copied, grow, grown_documents, shifted
from evals.lab.growth import growth
from evals.lab.peers import PEERS, open_peers, recall
from evals.lab.processes import LimitReached, fastest_ms, run_measured

NOTES = "Deprecated in 4.2: the ``legacy`` parameter of Session.configure().\n\nRemoving cached templates is faster.\n"
ORIGINALS = tuple(
    encoded(parsed(NOTES, source=f"{product}/{version}.md", product=product, version=version))
    for product, version in (("django", "4.2"), ("django", "5.0.1"), ("curl", "8.1"))
)
ON_LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is told by /proc")


def test_each_question_counts_with_its_fastest_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    # When it began; a look and two readings for each question of each pass: 3 s and 1 s, then 2 s and 4 s.
    times = iter([0, 0, 0, 3, 3, 3, 4, 4, 4, 6, 6, 6, 10])
    monkeypatch.setattr(processes, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    assert fastest_ms(str, ["a", "b"], passes=2, seconds=100) == [2000.0, 1000.0]


def test_a_slow_system_is_asked_five_questions_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 1000, 10))
    monkeypatch.setattr(processes, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    asked: list[str] = []
    assert len(fastest_ms(asked.append, [str(number) for number in range(50)], seconds=20)) == len(asked) == 5


def test_what_a_peer_lists_is_held_against_exact_products_by_its_texts() -> None:
    vectors = np.linspace(0.1, 1.2, 12, dtype=np.float32)[:, np.newaxis]
    texts = [f"passage {number}" for number in range(12)]
    listed = [texts[3:], texts[:2]]
    assert recall(listed, np.ones((2, 1), np.float32), texts, vectors) == pytest.approx((0.9 + 0) / 2)


@pytest.mark.parametrize(("p50_ms", "power"), [(20.0, "0.00"), (200.0, "0.50"), (2000.0, "1.00")])
def test_growth_is_told_as_a_power_of_the_passages(p50_ms: float, power: str) -> None:
    ((_, _, told, holds),) = growth([(1_000, 1.0), (10_000, 20.0), (1_000_000, p50_ms)])
    assert told.startswith(f"{power}: ")
    assert holds is (p50_ms < 1000)
    assert growth([(1_000, 1.0), (10_000, 20.0)]) == ()


@ON_LINUX
def test_output_and_costs_of_a_process_are_told(tmp_path: Path) -> None:
    program = "print('done'); held = b'x' * 2**26; import time; time.sleep(0.2)"
    done = run_measured([sys.executable, "-c", program], log=tmp_path / "log")
    assert done.output == "done\n"
    assert 64 < done.peak_mib < 120
    assert 0 < done.cpu_seconds < done.wall_seconds + 1


def test_failed_process_is_an_error_with_its_last_line(tmp_path: Path) -> None:
    program = "import sys; sys.stderr.write('first\\nno disk\\n'); sys.exit(3)"
    with pytest.raises(RelnotesError, match="status 3: no disk"):
        run_measured([sys.executable, "-c", program], log=tmp_path / "log")


@ON_LINUX
@pytest.mark.parametrize(
    ("limits", "told"),
    [({"seconds": 0.3}, "0 minutes"), ({"mib": 48.0}, r"0\.0 GiB of memory")],
    ids=["time", "memory"],
)
def test_process_that_takes_more_than_it_may_is_ended(limits: dict[str, float], told: str, tmp_path: Path) -> None:
    program = "held = b'x' * 2**27; import time; time.sleep(60)"
    with pytest.raises(LimitReached, match=told):
        run_measured([sys.executable, "-c", program], log=tmp_path / "log", **limits)


def test_a_copy_is_another_product_with_other_releases_in_the_same_places() -> None:
    original = ORIGINALS[0]
    rare = frozenset(token for tokens in original.tokens for token in tokens)
    once, again, other = (copied(original, number, rare) for number in (2, 2, 3))
    document = once.parsed.document
    assert document.product not in ("django", other.parsed.document.product)
    assert copied(ORIGINALS[1], 2, rare).parsed.document.product == document.product
    assert [str(document.version), *(release.label for release in once.parsed.releases)] == ["7.2", "7.2"]
    assert [one.span for one in once.parsed.passages] == [one.span for one in original.parsed.passages]
    assert once.tokens == again.tokens != other.tokens
    vectors, near = (np.concatenate(one.vectors) for one in (original, once))
    assert np.array_equal(near, np.concatenate(again.vectors))
    assert ((vectors * near).sum(axis=1) > 0.85).all()


@pytest.mark.parametrize(("label", "then"), [("4.2", "7.2"), ("v2.45.1", "v5.45.1"), ("Unreleased", "Unreleased")])
def test_a_shifted_version_keeps_all_but_its_first_number(label: str, then: str) -> None:
    assert shifted(label, 3) == then


@pytest.mark.parametrize("passages", [1, 5, 9, 40])
def test_there_are_exactly_as_many_passages_as_asked_for(passages: int) -> None:
    documents = list(grown_documents(ORIGINALS, passages))
    assert sum(len(one.parsed.passages) for one in documents) == passages
    assert len({(one.parsed.document.root, one.parsed.document.source) for one in documents}) == len(documents)


def test_what_lies_beside_the_index_has_a_text_and_a_vector_for_each_passage(tmp_path: Path) -> None:
    made = Grown(tmp_path / "grown")
    grow(ORIGINALS, made, HashedEmbedder(), passages=40, stamp="s")
    texts = [json.loads(line) for line in made.texts.read_text("utf-8").splitlines()]
    with IndexReader.open(made.index) as reader:
        stored = reader.load_passages(range(40))
        assert texts == [" ".join(one.span.slice(reader.text_of(one)).split()) for one in stored if one.items]
    vectors = np.fromfile(made.vectors, np.float32).reshape(len(texts), -1)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)
    assert made.seconds > 0


def test_a_library_that_is_absent_is_an_error_that_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.lab.peers.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"chroma: not installed.*pip install '\.\[peers\]'"):
        open_peers(["chroma"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PEERS)
def test_a_library_finds_the_passage(name: str, tmp_path: Path) -> None:
    from corpus.embedding import open_embedder

    texts = ["The glaze dries overnight.", "A firing of the kiln heats up by 100 degrees an hour.", "Clay is wedged."]
    try:
        peer = open_peers([name])[name](tmp_path)
    except UsageError as absent:
        pytest.skip(str(absent))
    peer.store(texts, open_embedder(cache_dir=tmp_path).embed(texts))
    peer.open()
    assert peer.search("How fast does a firing of the kiln heat up?")[0] == texts[1]
