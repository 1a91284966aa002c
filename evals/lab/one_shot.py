"""A plain search script for comparison: sentence-transformers and FAISS, the ten best texts for one question; with
`rerank`, a cross-encoder orders them.

    python one_shot.py {dense,rerank} MODEL_FOLDER FOLDER QUESTION

It imports nothing of relnotes, and parses, quotes and verifies nothing. The cross-encoder has the judge's size: the
same model under an untrained head, so its time is real, and its order means nothing.
"""

import sqlite3
import sys

import faiss
from sentence_transformers import CrossEncoder, SentenceTransformer


class Search:
    """The models, the vectors and the texts, loaded."""

    def __init__(self, name: str, model_folder: str, folder: str) -> None:
        """Load everything; `name` is "dense" or "rerank"."""
        self.model = SentenceTransformer(model_folder, device="cpu")
        self.reranker = CrossEncoder(model_folder, num_labels=1, device="cpu") if name == "rerank" else None
        self.index = faiss.read_index(f"{folder}/vectors.faiss")
        self.database = sqlite3.connect(f"{folder}/texts.sqlite")

    def ten_best(self, question: str) -> list[str]:
        """Return the ten best texts, best first."""
        _, rows = self.index.search(self.model.encode([question], normalize_embeddings=True), 10)
        select = "SELECT text FROM passages WHERE rowid = ?"
        texts = [self.database.execute(select, (row + 1,)).fetchone()[0] for row in rows[0].tolist()]
        if self.reranker is None:
            return texts
        return [texts[hit["corpus_id"]] for hit in self.reranker.rank(question, texts)]


if __name__ == "__main__":
    *given, question = sys.argv[1:]
    print(*Search(*given).ten_best(question), sep="\n")
