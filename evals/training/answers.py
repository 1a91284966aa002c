"""Learn which items answer a question: `python -m evals.training.answers [--panel DOCUMENTS]... [--runs N]`.

Continues from the weights learned for claims. Two losses: items that answer a question should rank above its other
items (ListNet's top-one probabilities; Cao et al. 2007), and each item is classified as answering or not; no item
answers a near miss. The questions are those of the training set, with known places of their answers, and those of
`answers.jsonl`, in which a reader labelled each item as answering fully, in part or not.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from corpus.model import Span
from corpus.plain_words import one_line
from evals.command import run_command
from evals.labelled_places import Place
from evals.training.cross_encoder import DEVICE, HELD, Network, TokenPair, average, weights_file
from evals.training.examples import homes_of, is_there, open_labelled, panel_option, read_lines
from evals.training.training_set import load_training
from retrieval.assistant import Assistant
from retrieval.judge.answers import asked_words
from retrieval.judge.pairs import named_releases, read_item, read_pair
from retrieval.model import Query
from retrieval.quoting.quotes import ItemScore

ASIDE = HELD | frozenset(
    "beets cython helix htop janet keepassxc kitty mopidy pgbouncer poetry prometheus rqlite tantivy wezterm".split()
)
"""Projects not learned from: those held out for claims, and fourteen more of `answers.jsonl`."""
_RATE, _BATCH = 1e-4, 6
_READ = 12
"""How many of a question's items are used in the search's order; labelled items further down are added."""
_ITEMS, _RIVALS, _GOLD = 6, 4, 2
"""Items of a question in a batch: at most in all, the first ones that don't answer it, at most that answer it."""
_PARTLY, _UNREAD = 0.4, 0.6
"""The label of an item that answers in part, and the weight of an item that nobody labelled."""


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """An item paired with a question: 1 if it answers, 0 if it doesn't, and whether that was labelled."""

    pair: TokenPair
    answers: float
    is_read: bool


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question with its items, in the order of the search."""

    project: str
    items: tuple[LabelledItem, ...]
    answerable: bool


def main() -> int:
    """Fit the network, write its weights and measure it.

    Raises:
        RelnotesError: documents are absent, or have changed since they were labelled.
    """
    parser = argparse.ArgumentParser(
        description="Learn which items answer a question; two minutes on a GPU, an hour on two cores."
    )
    panel_option(parser, learned="also from labelled questions about")
    parser.add_argument("--runs", type=int, default=3, help="how many models are learned and averaged (default: 3)")
    options = parser.parse_args()
    with open_labelled(options.panel) as assistants:
        questions = tuple(_questions(assistants))
    learned = [question for question in questions if question.project not in ASIDE]
    sys.stderr.write(f"{len(learned)} questions\n")
    networks = []
    for seed in range(options.runs):
        torch.manual_seed(seed)
        random.seed(seed)
        networks.append(Network(1, begin=weights_file("claims")).to(DEVICE))
        _fit(networks[-1], learned)
    network = average(networks)
    np.savez_compressed(weights_file("answers"), allow_pickle=False, **network.changes())
    tested = [q for q in questions if q.project in ASIDE and any(item.answers == 1 for item in q.items)]
    by_judge = [int(network.judge([item.pair for item in question.items]).argmax()) for question in tested]
    first, judged = (
        np.mean([question.items[place].answers == 1 for question, place in zip(tested, places, strict=True)])
        for places in ([0] * len(tested), by_judge)
    )
    sys.stdout.write(
        f"{len(tested)} questions about projects not learned from, the first item answers: by the search's order "
        f"{first:.3f}, by the judge's alone {judged:.3f}\n"
    )
    return 0


def _questions(assistants: Sequence[Assistant]) -> Iterator[LabelledQuestion]:
    """Yield the questions whose documents are present and unchanged, except answerable ones that no item answers."""
    homes = homes_of(assistants)
    by_project = {path.partition("/")[0]: assistant for path, (assistant, _) in homes.items()}
    for training_question in load_training():
        entry = training_question.question
        places = [Place(g.path, g.start, g.end, g.sha) for g in entry.gold if g.start is not None and g.end and g.sha]
        if (home := by_project.get(entry.project)) and all(is_there(place, homes) for place in places):
            query = home.understand(entry.question, history=entry.history, product=entry.product, version=entry.version)
            yield from read_question(
                query, home, entry.project, dict.fromkeys(places, 1.0), answerable=entry.answerable
            )
    for line in read_lines("answers.jsonl"):
        labels = {
            Place(*place): worth
            for key, worth in (("answers", 1.0), ("partly", _PARTLY), ("silent", 0.0))
            for place in line.get(key, ())
        }
        if all(is_there(place, homes) for place in labels):
            home = homes[next(iter(labels)).path][0]
            query = home.understand(line["question"], product=line.get("product"))
            yield from read_question(query, home, line["project"], labels, answerable=bool(line.get("answers")))


def read_question(
    query: Query, assistant: Assistant, project: str, labels: dict[Place, float], *, answerable: bool
) -> Iterator[LabelledQuestion]:
    """Yield the question with its first items and those in `labels`; nothing if it is answerable but none answers."""
    question, releases = one_line(asked_words(query)), named_releases(query)
    items = []
    for number, scored in enumerate(assistant.find(query, limit=10, is_asked=False).fitting):
        worths = [worth for place, worth in labels.items() if _is_at(scored, place)]
        if number < _READ or worths:
            pair = TokenPair.of(read_pair(question, releases, read_item(scored, assistant.index)))
            items.append(LabelledItem(pair, max(worths, default=0.0), bool(worths) or not answerable))
    if items and (not answerable or any(item.answers == 1 for item in items)):
        yield LabelledQuestion(project, tuple(items), answerable)


def _is_at(scored: ItemScore, place: Place) -> bool:
    return scored.passage.document.source == place.path and scored.item.span.meets(Span(place.start, place.end))


def _fit(network: Network, questions: Sequence[LabelledQuestion]) -> None:
    """Fit the network on each question once: a second epoch ranks items no better (docs/decisions/0015)."""
    network.train()
    optimizer, schedule = network.optimizer(rate=_RATE, steps=-(-len(questions) // _BATCH) + 1)
    shuffled = random.sample(questions, len(questions))
    for start in range(0, len(shuffled), _BATCH):
        loss = _loss(network, [choose_items(question) for question in shuffled[start : start + _BATCH]])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if start % (100 * _BATCH) == 0:
            sys.stderr.write(f"{start} of {len(shuffled)} questions\n")


def choose_items(question: LabelledQuestion) -> list[LabelledItem]:
    """Draw a question's items for a batch: some that answer it, then others, labelled ones and the search's first."""
    gold = [item for item in question.items if item.answers > 0]
    others = sorted((item for item in question.items if item.answers == 0), key=lambda item: not item.is_read)
    rest = others[_RIVALS:]
    near = [*others[:_RIVALS], *random.sample(rest, min(1, len(rest)))]
    return [*random.sample(gold, min(_GOLD, len(gold))), *near][:_ITEMS]


def _loss(network: Network, batch: Sequence[Sequence[LabelledItem]]) -> Tensor:
    """Return the classification loss of all items plus the mean ranking loss of the questions with an answer."""
    items = [item for chosen in batch for item in chosen]
    # Sorted by length, because half the time would be spent on padding otherwise.
    order = sorted(range(len(items)), key=lambda place: len(items[place].pair.ids))
    parts = np.array_split(order, 3)
    scores = torch.cat([network([items[place].pair for place in part])[:, 0] for part in parts])[np.argsort(order)]
    worths = torch.tensor([item.answers for item in items], device=DEVICE)
    weights = torch.tensor([1.0 if item.is_read else _UNREAD for item in items], device=DEVICE)
    losses = functional.binary_cross_entropy_with_logits(scores, worths, reduction="none")
    loss = (losses * weights).sum() / weights.sum()
    orders, start = [], 0
    for chosen in batch:
        score, worth = scores[start : start + len(chosen)], worths[start : start + len(chosen)]
        start += len(chosen)
        if (worth == 1).any():
            ranked = score[(worth == 1) | (worth == 0)]
            orders.append(torch.logsumexp(ranked, 0) - torch.logsumexp(score[worth == 1], 0))
    return loss + torch.stack(orders).mean() if orders else loss


if __name__ == "__main__":
    run_command(main)
