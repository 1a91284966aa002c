"""Learn to answer with yes or no: `python -m evals.training.yes_no [--panel DOCUMENTS]... [--epochs N]`."""

import argparse
import random
import sys
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from corpus.model import Span
from corpus.plain_words import one_line
from evals.command import run_command
from evals.labelled_places import Place
from evals.training.cross_encoder import Network, TokenPair, weights_file
from evals.training.entailment import LabelledPair, claim_examples, fit, made_lines, made_pair
from evals.training.examples import homes_of, is_there, open_labelled, panel_option, read_lines
from evals.training.made_requirements import made_requirements
from retrieval.assistant import Assistant
from retrieval.judge.pairs import named_releases, read_pair, read_range

_ANSWERS = ("yes", "no", "silent")
_RATE, _CLAIMS, _SURE = 5e-5, 1_500, 0.8
_MADE, _MADE_WEIGHT = 2_000, 0.7


def main() -> int:
    """Continue from the weights learned for claims, write the new ones and measure them.

    Raises:
        RelnotesError: documents are absent, or have changed since they were labelled.
    """
    parser = argparse.ArgumentParser(description="Learn to answer with yes or no; ten minutes on two cores.")
    panel_option(parser, learned="also from labelled questions about")
    parser.add_argument("--epochs", type=int, default=3, help="how often all examples are seen (default: 3)")
    options = parser.parse_args()
    with open_labelled(options.panel) as assistants:
        examples = (*_examples(assistants), *_made_questions())
        claims = tuple(claim_examples(assistants, limit=_CLAIMS))
    torch.manual_seed(0)
    random.seed(0)
    network = Network(len(_ANSWERS), begin=weights_file("claims"), keeps_head=True)
    learned = [example for example in examples if not _is_tested(example.project)]
    made = made_requirements(random.Random(1), limit=_MADE)  # noqa: S311 - no secret
    learned += [LabelledPair(TokenPair.of(pair), answer, -1, _MADE_WEIGHT, "") for pair, answer in made]
    # Claims are mixed in, or the network forgets what refutes a statement.
    fit(network, [*learned, *claims], epochs=options.epochs, rate=_RATE)
    np.savez_compressed(weights_file("yes_no"), allow_pickle=False, **network.changes())
    tested = [example for example in examples if _is_tested(example.project)]
    chances = network.judge([example.pair for example in tested]).softmax(1).numpy()
    label = np.array([example.verdict for example in tested])
    word, is_sure = chances[:, :2].argmax(1), chances[:, :2].max(1) >= _SURE
    sys.stdout.write(
        f"{len(tested)} questions about projects not learned from: {np.mean(chances.argmax(1) == label):.3f} right; "
        f"{np.mean(is_sure[label < 2]):.2f} of those with an answer get a word, "
        f"{np.mean(word[is_sure] == label[is_sure]):.3f} of words are right\n"
    )
    return 0


def _made_questions() -> Iterator[LabelledPair]:
    for made, (question, answer) in made_lines("questions"):
        pair = made_pair(question, made)
        yield LabelledPair(TokenPair.of(pair), _ANSWERS.index(answer), -1, 1.0, made["product"])


def _is_tested(project: str) -> bool:
    return zlib.crc32(project.encode()) % 6 == 0


def _examples(assistants: Sequence[Assistant]) -> Iterator[LabelledPair]:
    """Yield each question with the item it was written from, unless the document is absent or changed."""
    homes = homes_of(assistants)
    for line in read_lines("yes_no.jsonl"):
        place = Place(line["path"], line["start"], line["end"], line["sha"])
        if not is_there(place, homes):
            continue
        (home, document), span = homes[place.path], Span(place.start, place.end)
        whole = Span(0, len(home.index.document_text(document)))
        passages = home.index.document_passages(document, within=whole)
        passage = next((p for p in passages if any(item.span == span for item in p.items)), None)
        if passage is not None:
            query, noted = home.understand(line["question"]), read_range(passage, span, home.index)
            pair = read_pair(one_line(query.search_text).rstrip("? "), named_releases(query), noted)
            verdict = _ANSWERS.index(line["answer"])
            yield LabelledPair(TokenPair.of(pair), verdict, -1, 1.0, place.path.partition("/")[0])


if __name__ == "__main__":
    run_command(main)
