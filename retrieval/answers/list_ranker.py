"""The learned order of a list: which changes of some releases come first.

Linear over figures of each change, weighed for each form of question; fitted by `python -m evals.training.lists` on
lists of which is known what matters most (`list_ranker.json`).
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import log1p

from corpus.item_sentences import speaks_of_security
from corpus.model import Section
from retrieval.model import Form
from retrieval.upgrades.entries import NotedEntry

Figures = Mapping[str, float]
_FIRST_ITEMS = 3
_READ_CHARACTERS = 2000
FORMS = (Form.WHATS_NEW, Form.BREAKS, Form.SHOULD_UPGRADE)
"""The forms that are weighed apart; any other is weighed as the first."""


@dataclass(frozen=True, slots=True)
class ListRanker:
    """A weight for each figure by form; figures that have none count nothing."""

    weights: Mapping[Form, Figures]

    def score(self, figures: Figures, form: Form) -> float:
        """Return how much a change matters beside the others of its list; any number."""
        weights = self.weights[self.form_of(form)]
        return sum(weights.get(name, 0.0) * figure for name, figure in figures.items())

    @staticmethod
    def form_of(form: Form) -> Form:
        """Return the form that a list of this one is weighed as."""
        return form if form in FORMS else FORMS[0]


@lru_cache(maxsize=1)
def load_list_ranker() -> ListRanker:
    """Return the committed weights.

    Raises:
        KeyError: a form has none; run `python -m evals.training.lists`.
    """
    raw = json.loads(files("retrieval.answers").joinpath("list_ranker.json").read_text(encoding="utf-8"))
    return ListRanker({form: raw[form.value] for form in FORMS})


def read_list_figures(
    entries: Sequence[NotedEntry], changes: Sequence[str], groups: Sequence[str], subjects: Sequence[float]
) -> list[dict[str, float]]:
    """Return the figures of each entry of a list, by its words and its place among the others.

    For each, `changes` has the change that an upgrade lists it as (empty if it doesn't), `groups` the label that it is
    listed under, and `subjects` the share of the question's subject in it, 0 to 2.
    """
    versions = sorted({entry.version for entry in entries if entry.version})
    ages = {version: place / max(len(versions) - 1, 1) for place, version in enumerate(versions)}
    rows, columns = [], (entries, changes, groups, subjects, _places(entries))
    for entry, change, group, subject, (place, in_section) in zip(*columns, strict=True):
        stored, first = entry.stored, [item for _, item in entry.items[:_FIRST_ITEMS]]
        words = " ".join(atom.words for atom in entry.atoms)[:_READ_CHARACTERS]
        rows.append(
            {
                "headline": max(item.headline for item in first),
                "breaking": max(item.breaking for item in first),
                "subject": subject,
                "marked": float(stored.is_marked),
                "leads": float(stored.leads),
                "place": log1p(place),
                "place in section": log1p(in_section),
                "first": float(place == 0),
                "age": ages.get(entry.version, 0.0) if entry.version else 0.0,
                "length": log1p(len(words)),
                "on security": float(speaks_of_security(words)),
                "housekeeping": float(stored.section is Section.HOUSEKEEPING),
                f"listed as {change or 'nothing'}": 1.0,
                f"told under {group}": 1.0,
            }
        )
    return rows


def _places(entries: Sequence[NotedEntry]) -> list[tuple[int, int]]:
    """Return for each entry the number of earlier ones of its release in its document, and of those in its section."""
    order = sorted(range(len(entries)), key=lambda n: (entries[n].passage.position, entries[n].stored.span))
    places = [(0, 0)] * len(entries)
    before: Counter[object] = Counter()
    for n in order:
        entry = entries[n]
        release = entry.passage.document.id, entry.version
        section = *release, entry.stored.section, tuple(entry.passage.heading)
        places[n] = before[release], before[section]
        before.update((release, section))
    return places
