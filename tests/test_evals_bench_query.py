"""The bench of a warm question: what it times exists, and the copies it grows an index from are fair."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpus import HashedEmbedder

import retrieval.assistant
from evals.bench.grown_corpora import AlteredEmbedder, alter, restore, write_copy
from evals.bench.query import STAGES, StageClock
from ingest.sources_toml import SOURCES_FILE

NOTES = "Deprecated in 4.2: the ``legacy`` parameter of Session.configure().\nRemoving cached templates is faster.\n"


@given(st.text(st.sampled_from("aeioubcdfgnrstAEST .:`_-/0123456789\n"), max_size=200), st.integers(1, 4))
def test_an_altered_text_has_its_length_and_can_be_restored(text: str, number: int) -> None:
    altered = alter(text, number)
    assert len(altered) == len(text)
    assert restore(altered, number) == text


def test_copies_differ_from_the_original_and_from_each_other_but_not_in_versions_and_code() -> None:
    original = f"{NOTES}improvements regression dictionary connection performance"
    copies = [alter(original, number) for number in range(1, 5)]
    assert len({original, *copies}) == 5
    assert all("4.2" in copy and "``legacy``" in copy and "configure()" in copy for copy in copies)


def test_an_altered_sentence_is_near_its_original_and_not_the_same() -> None:
    original = HashedEmbedder()
    altered = AlteredEmbedder(original, 2).embed([alter(NOTES, 2)])
    assert np.linalg.norm(altered, axis=1) == pytest.approx([1.0], abs=1e-5)
    assert 0.9 < float((altered @ original.embed([NOTES]).T)[0, 0]) < 0.99


def test_a_copy_has_the_same_files_under_products_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "corpora" / "django" / "sub").mkdir(parents=True)
    (tmp_path / "corpora" / "django" / "sub" / "4.2.txt").write_text(NOTES, "utf-8")
    write_copy(tmp_path / "corpora", tmp_path / "copy", number=1)
    (product,) = (path for path in (tmp_path / "copy").iterdir() if path.is_dir())
    assert product.name != "django"
    assert restore((product / "sub" / "4.2.txt").read_text("utf-8"), 1) == NOTES
    assert product.name in (tmp_path / "copy" / SOURCES_FILE).read_text("utf-8")


@pytest.mark.parametrize("name", [name for _, name in STAGES])
def test_every_timed_stage_is_a_step_of_the_assistant(name: str) -> None:
    original = getattr(retrieval.assistant, name)
    with StageClock().on_the_way():
        assert getattr(retrieval.assistant, name) is not original
    assert getattr(retrieval.assistant, name) is original
