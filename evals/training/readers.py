"""Fit the classifiers of items and questions: `python -m evals.training.readers`."""

import argparse
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from corpus.acts import act_terms, importance_terms, label_terms, read_act_terms
from corpus.cache_folder import cache_folder
from corpus.catalogue import CatalogueProduct
from corpus.embedding import Embedder, open_embedder
from corpus.errors import UsageError
from corpus.index.stored import StoredPassage
from corpus.model import Act, Section, Span
from corpus.sections import section_of_title
from corpus.source_words import item_words
from corpus.text_classifier import TextClassifier
from evals.command import ROOT, run_command
from evals.labelled_places import words_sha
from evals.suite_index import open_suite
from evals.suites import BUNDLED, CORPORA, FRESH, SEEDS, VERSIONS, load_suite
from evals.training.examples import open_labelled, panel_option, read_lines
from evals.training.training_set import load_training
from ingest.progress import BarProgress
from retrieval.assistant import Assistant
from retrieval.model import Form
from retrieval.products.known import KnownProducts
from retrieval.question.asked_products import choose_subject, find_owners
from retrieval.question.forms import form_terms, without_names
from retrieval.question.tokens import tokenize_question
from retrieval.question.version_roles import Role, number_tokens, role_terms
from retrieval.upgrades.entries import read_entries

_MIN_EXAMPLES, _MANY = 2, 12_000
"""Least examples that a term must occur in, one more if the set has over `_MANY` examples."""
_TEMPERATURE = 1.5
"""Applied to acts, because a larger model labelled most of them, too surely: with it the mean certainty is .78 and the
accuracy .71; on 5,000 labels by hand it was .79 and .67."""
_CHANGE_CHARACTERS = 600
_STRENGTH, _LABEL_STRENGTH, _SPARING_STRENGTH, _TERM_SCALE, _VECTOR_SCALE = 1.0, 0.2, 0.03, 6.0, 2.0
"""Labels of entries: by folds over projects log loss .799, .793 and .806 at .3, .15 and .08. Importance is fitted with
strong regularisation, because few releases are labelled and labellers disagree. Recall of the chosen items in the
first six, on held-out projects, for what breaks and what is new: .74 and .66 at .3, .71 and .64 at 2, .77 and .69 from
.05 down to .01."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """One text to learn from."""

    terms: frozenset[str]
    vector: NDArray[np.float32]
    labels: tuple[str, ...]
    """An item's act; or a question's form, act, wanted value, request about releases and relative release. A label that
    nobody gave is empty."""
    project: str
    release: int = -1
    """The line of `importance.jsonl` that contains the item; -1 for other texts."""


def main() -> int:
    """Fit the classifiers and write them.

    Raises:
        RelnotesError: documents are absent, or aren't those that were labelled.
    """
    parser = argparse.ArgumentParser(description="Learn to read acts and forms; minutes on two cores.")
    parser.add_argument("--only", metavar="NAME", default="", help="write one of them alone, as corpus/labels")
    panel_option(parser, learned="acts also from labelled items of")
    arguments = parser.parse_args()
    embedder = open_embedder(cache_dir=cache_folder())
    with (
        open_labelled(arguments.panel) as assistants,
        BarProgress() as progress,
        open_suite(FRESH, progress=progress) as fresh,
    ):
        corpora, fetched, *panels = assistants
        acts = tuple(_labelled_items(assistants))
        entries = tuple(_labelled_entries(corpora, fetched, fresh, *panels, embedder=embedder))
        important = tuple(_important_items(assistants, fit(acts, 0, digest=embedder.digest, temperature=_TEMPERATURE)))
        catalogue = (*corpora.catalogue(), *fetched.catalogue())
    questions = tuple(_labelled_questions("forms.jsonl", catalogue, embedder))
    versions = tuple(_labelled_versions(read_lines("version_roles.jsonl")))
    readers = (
        ("corpus/acts", acts, 0),
        ("corpus/labels", entries, 0),
        ("corpus/headlines", important, 0),
        ("corpus/breaking", important, 1),
        ("retrieval/question/forms", questions, 0),
        ("retrieval/question/acts", _with_label(questions, 1), 1),
        ("retrieval/question/wanted", _with_label(questions, 2), 2),
        ("retrieval/question/asked_of_releases", _with_label(questions, 3), 3),
        ("retrieval/question/relative", _with_label(questions, 4), 4),
        ("retrieval/question/version_roles", versions, 0),
    )
    for name, examples, place in readers:
        if arguments.only not in name:
            continue
        strength = _LABEL_STRENGTH if examples is entries else _SPARING_STRENGTH if examples is important else _STRENGTH
        temperature = _TEMPERATURE if examples is acts else 1.0
        reader = fit(examples, place, digest=embedder.digest, temperature=temperature, strength=strength)
        reader.save(ROOT / f"{name}.npz")
    return 0


def _with_label(examples: Sequence[Labelled], place: int) -> tuple[Labelled, ...]:
    """Return the examples that have a label at `place`."""
    return tuple(example for example in examples if example.labels[place])


def fit(
    examples: Sequence[Labelled], place: int, *, digest: str, temperature: float = 1.0, strength: float = _STRENGTH
) -> TextClassifier:
    """Fit both sets of weights, with the embedding and without it, for the label at `place`, the less regularised the
    higher `strength`; the logits are divided by `temperature` (Guo et al. 2017, arXiv:1706.04599)."""
    counter = CountVectorizer(
        analyzer=iter, min_df=_MIN_EXAMPLES + (len(examples) > _MANY), binary=True, dtype=np.float64
    )
    words = counter.fit_transform(example.terms for example in examples)
    of_row = np.diff(words.indptr)
    words.data = np.repeat(_TERM_SCALE / np.maximum(of_row, 1) ** 0.5, of_row)
    terms = {term: i for i, term in enumerate(counter.get_feature_names_out().tolist())}
    vectors = sparse.csr_matrix(np.stack([example.vector for example in examples]) * _VECTOR_SCALE)
    labels = np.array([example.labels[place] for example in examples])
    whole, bare = (
        LogisticRegression(C=strength, max_iter=300, tol=1e-3).fit(table, labels)
        for table in (sparse.hstack([words, vectors]).tocsr(), words)
    )
    weights, bare_weights = _both_ways(whole.coef_ / temperature), _both_ways(bare.coef_ / temperature)
    return TextClassifier(
        labels=tuple(map(str, whole.classes_)),
        digest=digest,
        terms=terms,
        term_weights=weights[: len(terms)] * np.float32(_TERM_SCALE),
        vector_weights=weights[len(terms) :] * np.float32(_VECTOR_SCALE),
        bias=_both_ways(whole.intercept_[:, None] / temperature)[0],
        bare_term_weights=bare_weights * np.float32(_TERM_SCALE),
        bare_bias=_both_ways(bare.intercept_[:, None] / temperature)[0],
    )


def _both_ways(weights: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return weights of shape (features, labels), with both columns if scikit-learn gives only the second of two."""
    whole = np.vstack([-weights / 2, weights / 2]) if len(weights) == 1 else weights
    return np.ascontiguousarray(whole.T, np.float32)


_Place = tuple[str, int, str]
"""A document's source, where an item of it begins, and its words' hash."""


def _items(
    assistants: Sequence[Assistant], wanted: Container[_Place]
) -> Iterator[tuple[_Place, StoredPassage, int, set[str], NDArray[np.float32]]]:
    """Yield the wanted items of some indexes: place, passage, position in the passage, terms and vector."""
    for assistant in assistants:
        index = assistant.index
        for document in index.documents:
            text = index.document_text(document.id)
            for passage in index.document_passages(document.id, within=Span(0, len(text))):
                matrix = index.load_vectors([passage.position])[0]
                for number, (item, vector) in enumerate(zip(passage.items, matrix, strict=True)):
                    place = document.source, item.span.start, words_sha(item.span.slice(text))
                    if place in wanted:
                        terms = act_terms(item_words(item, text, document.media_type), passage.heading)
                        yield place, passage, number, terms, vector


def _labelled_items(assistants: Sequence[Assistant]) -> Iterator[Labelled]:
    """Yield the items in the indexes whose act was labelled by hand or by a larger model; none of panels whose
    documents are absent.

    Raises:
        UsageError: a labelled place of other documents isn't an item any more, or has other words.
    """
    lines = read_lines("acts.jsonl")
    wanted = {
        (line["path"], start, sha): act for line in read_lines("acts_read.jsonl") for start, sha, act in line["items"]
    }
    by_hand = {(line["path"], line["start"], line["sha"]): line["act"] for line in lines}
    wanted |= by_hand
    seen = set()
    for place, _, _, terms, vector in _items(assistants, wanted):
        seen.add(place)
        yield Labelled(frozenset(terms), vector, (Act(wanted[place]).value,), place[0].partition("/")[0])
    if lost := sum("set" not in line and (line["path"], line["start"], line["sha"]) not in seen for line in lines):
        raise UsageError(f"{lost} of {len(lines)} labelled places aren't items of the notes any more.")


def _important_items(assistants: Sequence[Assistant], acts: TextClassifier) -> Iterator[Labelled]:
    """Yield the items in the indexes of releases whose importance is labelled, with two labels: "y" if the item is
    among the first news, and among what breaks first. Their terms contain the act that `acts` reads. Items that the
    notes don't contain any more are left out: the others still have an order."""
    wanted: dict[_Place, tuple[int, str, str]] = {}
    for release, line in enumerate(read_lines("importance.jsonl")):
        for number, (path, start, _, sha) in enumerate(line["items"]):
            labels = ["y" if number in line[name] else "n" for name in ("news", "breaks")]
            wanted[line["paths"][path], start, sha] = (release, labels[0], labels[1])
    for place, passage, number, read, vector in _items(assistants, wanted):
        release, *labels = wanted[place]
        ((act, sure),) = read_act_terms([read], vector[None, :], digest=acts.digest, reader=acts)
        terms = importance_terms(read, passage.heading, passage.kind, number, act, sure)
        yield Labelled(frozenset(terms), vector, tuple(labels), place[0].partition("/")[0], release=release)


def _labelled_entries(*assistants: Assistant, embedder: Embedder) -> Iterator[Labelled]:
    """Yield the entries labelled in `changes.jsonl`, and those made for training."""
    by_place = {(line["path"], line["start"], line["sha"]): line["label"] for line in read_lines("changes.jsonl")}
    for index in (assistant.index for assistant in assistants):
        for document in index.documents:
            text = index.document_text(document.id)
            for entry in read_entries(index.document_passages(document.id, within=Span(0, len(text))), index):
                span, home = entry.stored.span, next(home for home, item in entry.items if item is entry.first)
                sha = words_sha(text[span.start : span.end][:_CHANGE_CHARACTERS])
                if label := by_place.get((document.source, span.start, sha)):
                    vector = index.load_vectors([home.position])[0][home.items.index(entry.first)]
                    # An introduction is told as one only after its label was read.
                    section = entry.stored.section if entry.stored.section is not Section.INTRODUCTION else Section.OPEN
                    terms = label_terms(entry.lead, section, home.heading)
                    yield Labelled(frozenset(terms), vector, (label,), document.source.partition("/")[0])
    made = read_lines("changes_made.jsonl")
    for line, vector in zip(made, embedder.embed([line["text"] for line in made]), strict=True):
        heading = line["heading"].split(" > ") if line.get("heading") else []
        below = next(map(section_of_title, heading[-1:]), None) or (Section.OPEN if "heading" in line else None)
        yield Labelled(frozenset(label_terms(line["text"], below, heading)), vector, (line["label"],), "made")


def _labelled_questions(name: str, catalogue: Sequence[CatalogueProduct], embedder: Embedder) -> Iterator[Labelled]:
    """Yield the labelled questions of a file: those of the training set and our suites by id, others with text."""
    lines = read_lines(name)
    known = KnownProducts.of(catalogue)
    texts = _texts_and_projects(lines)
    names_of = (
        known
        if "id" in line
        else KnownProducts.of([CatalogueProduct(name, (), (), 1, 1)] if (name := line.get("product", "")) else [])
        for line in lines
    )
    tokens = [tokenize_question(text, names).tokens for (text, _), names in zip(texts, names_of, strict=True)]
    vectors = embedder.embed([without_names(text, words) for (text, _), words in zip(texts, tokens, strict=True)])
    for line, (text, project), words, vector in zip(lines, texts, tokens, vectors, strict=True):
        form, wanted = Form(line["form"]), line.get("wanted", "")
        labels = (
            form.value,
            line.get("act", ""),
            *(("", wanted) if form.traits.is_catalogue else (wanted, "")),
            line.get("relative", ""),
        )
        group = project or f"typed {line.get('product', '') or text}"
        yield Labelled(frozenset(form_terms(words)), vector, labels, group)


def _labelled_versions(lines: Sequence[dict[str, Any]]) -> Iterator[Labelled]:
    """Yield the versions and other numbers of questions, labelled by role, without vectors. Those that aren't read as a
    number any more, like the version in a path, are left out."""
    nothing = np.empty(0, np.float32)
    for line in lines:
        known = KnownProducts.of([CatalogueProduct(name, (), (), 1, 1) for name in line["products"]])
        tokens = tokenize_question(line["text"], known).tokens
        products = choose_subject(tokens, known)
        owners = find_owners(tokens, products, known)
        numbered = number_tokens(tokens)
        places = {(token.start, token.end): i for i, token in enumerate(numbered) if token.version}
        for start, end, role, is_released in line["versions"]:
            if (i := places.get((start, end))) is None:
                continue
            terms = role_terms(numbered, i, owner=owners[i], products=products, is_released=is_released)
            group = f"set {line['set']}" if "set" in line else f"typed {line['products'] or line['text']}"
            yield Labelled(frozenset(terms), nothing, (Role(role).value,), group)


def _texts_and_projects(lines: Sequence[dict[str, Any]]) -> list[tuple[str, str | None]]:
    """Return the text of each labelled question, and the project whose documents it is about."""
    known = {example.question.id: example.question for example in load_training()}
    known |= {question.id: question for suite in (BUNDLED, SEEDS, CORPORA, VERSIONS) for question in load_suite(suite)}
    hits = (known.get(line.get("id", "")) for line in lines)
    return [(hit.question, hit.project) if hit else (line["text"], None) for hit, line in zip(hits, lines, strict=True)]


if __name__ == "__main__":
    run_command(main)
