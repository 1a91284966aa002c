"""Lines of two pages are matched greedily, the likest first, whatever the number of lines."""

import random
from pathlib import Path

import numpy as np
import pytest
from indexes_by_hand import every_passage, note, open_index

from corpus.index.stored import StoredPassage
from retrieval.answers.pages import Edit, PageLine, compare_pages, likeness

WORDS = "amp bolt coil disk edge fuse gear hinge iron jack knob lamp".split()


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
def test_no_pair_left_over_is_alike_enough_to_be_one_line(seed: int, tmp_path: Path) -> None:
    passage = every_passage(open_index(tmp_path, note("A page.")))[0]
    before, after = page(2 * seed, passage, lines=40), page(2 * seed + 1, passage, lines=30)
    found = compare_pages(before, after)
    matched = [(one.before, one.after) for one in found if one.before and one.after]
    assert {one.change for one in found if one.before and one.after} == {Edit.CHANGED}
    for old, new in matched:
        assert old.is_heading == new.is_heading
        assert likeness(old, new) >= 0.2
    for old in set(before) - {old for old, _ in matched}:
        for new in set(after) - {new for _, new in matched}:
            is_other = old.is_heading != new.is_heading or old.section != new.section
            assert is_other or likeness(old, new) < 0.2
