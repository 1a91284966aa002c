"""The chunking benchmark's data: five corpora of flat prose, and questions with the ranges that answer them."""

import csv
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import UsageError
from corpus.model import Span

QUESTIONS_FILE = "questions_df.csv"


@dataclass(frozen=True, slots=True)
class Corpus:
    """One text of the benchmark; offsets count its code points."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ChunkingQuestion:
    """A question to one corpus; `references` are the ranges that answer it, at least one, disjoint."""

    text: str
    corpus: str
    references: tuple[Span, ...]

    @property
    def is_development(self) -> bool:
        """Whether it is in the half that choices were made on: by its hash, so that each corpus is in both."""
        return hashlib.sha256(self.text.encode()).digest()[-1] % 2 == 0


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Corpora by name, questions in the file's order."""

    corpora: tuple[Corpus, ...]
    questions: tuple[ChunkingQuestion, ...]


def corpora_folder(folder: Path) -> Path:
    """Where the benchmark's folder keeps its corpora."""
    return folder / "corpora"


def load_benchmark(folder: Path) -> Benchmark:
    """Load the benchmark's folder: `corpora/*.md` and the table of questions.

    Raises:
        UsageError: a question's corpus is absent, or a reference isn't the slice that the table says.
    """
    # Bytes, for reading as text would change line ends and so the offsets.
    paths = sorted(corpora_folder(folder).glob("*.md"))
    corpora = tuple(Corpus(path.stem, path.read_bytes().decode("utf-8")) for path in paths)
    texts = {corpus.name: corpus.text for corpus in corpora}
    questions: list[ChunkingQuestion] = []
    with (folder / QUESTIONS_FILE).open(encoding="utf-8", newline="") as file:
        for line, row in enumerate(csv.DictReader(file), start=1):
            references = json.loads(row["references"])
            spans = tuple(Span(one["start_index"], one["end_index"]) for one in references)
            text = texts.get(row["corpus_id"])
            contents = [one["content"] for one in references]
            if text is None or not spans or [span.slice(text) for span in spans] != contents:
                raise UsageError(
                    f"Question {line} of {str(folder / QUESTIONS_FILE)!r} doesn't fit corpus {row['corpus_id']!r}: "
                    "the corpus is absent or another version. Use corpora and questions of one copy of the benchmark."
                )
            questions.append(ChunkingQuestion(row["question"], row["corpus_id"], spans))
    return Benchmark(corpora, tuple(questions))
