"""Lines of two pages are matched greedily, the likest first, whatever the number of lines."""

import random
from pathlib import Path

import numpy as np
import pytest
from indexes_by_hand import every_passage, note, open_index

from corpus.index.stored import StoredPassage
from retrieval.answers.pages import Edit, PageLine, compare_pages, likeness

WORDS = "amp bolt coil disk edge fuse gear hinge iron jack knob lamp".split()


@pytest.fixture
def passage(tmp_path: Path) -> StoredPassage:
    return every_passage(open_index(tmp_path, note("A page.")))[0]


def page(seed: int, passage: StoredPassage, *, lines: int) -> tuple[PageLine, ...]:
    chance = random.Random(seed)
    drawn = (tuple(chance.choices(WORDS, k=chance.randint(1, 5))) for _ in range(lines))
    return tuple(
        PageLine(
            passage, passage.span, (f"part {chance.randint(0, 2)}",), f"{seed} {n}", f"{seed} {n}", frozenset(words),
            frozenset(), np.zeros(1, dtype=np.float32), chance.random() < 0.2, is_code=False,
        )
        for n, words in enumerate(drawn)
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_no_pair_left_over_is_alike_enough_to_be_one_line(seed: int, passage: StoredPassage) -> None:
    before, after = page(2 * seed, passage, lines=40), page(2 * seed + 1, passage, lines=30)
    found = compare_pages(before, after)
    matched = [(one.before, one.after) for one in found if one.before and one.after]
    assert {one.change for one in found if one.before and one.after} == {Edit.CHANGED}
    for old, new in matched:
        assert old.is_heading == new.is_heading
        assert likeness(old, new) >= (0.2 if old.section == new.section else 0.8)
    for old in set(before) - {old for old, _ in matched}:
        for new in set(after) - {new for _, new in matched}:
            least = 0.2 if old.section == new.section else 0.8
            assert old.is_heading != new.is_heading or likeness(old, new) < least


@pytest.mark.parametrize("seed", range(8))
def test_a_line_gives_way_only_to_one_that_is_as_alike(seed: int, passage: StoredPassage) -> None:
    before, after = page(2 * seed, passage, lines=40), page(2 * seed + 1, passage, lines=30)
    of_old = {one.before: one.after for one in compare_pages(before, after) if one.before and one.after}
    of_new = {new: old for old, new in of_old.items()}
    for old in before:
        for new in after:
            score = likeness(old, new)
            if old.section != new.section or old.is_heading != new.is_heading or score < 0.5:
                continue
            kept = [likeness(old, of_old[old])] if old in of_old else []
            kept += [likeness(of_new[new], new)] if new in of_new else []
            assert max(kept) >= score
