"""A search as one writes it in ten minutes: sentence-transformers and FAISS, the ten best texts of one question; with
`rerank` a cross-encoder puts them in order.

    python one_shot.py {dense,rerank} MODEL_FOLDER FOLDER QUESTION

What relnotes is compared with. It imports nothing of ours, parses, quotes and verifies nothing. The cross-encoder is of
the judge's size, the same model under a head that has learned nothing: its time is real, its order means nothing.
"""

import sqlite3
import sys

import faiss
from sentence_transformers import CrossEncoder, SentenceTransformer


class Search:
    """The models, the vectors and the texts, ready to be asked."""

    def __init__(self, name: str, model_folder: str, folder: str) -> None:
        """`name` is "dense" or "rerank"."""
        self.model = SentenceTransformer(model_folder, device="cpu")
        self.reranker = CrossEncoder(model_folder, num_labels=1, device="cpu") if name == "rerank" else None
        self.index = faiss.read_index(f"{folder}/vectors.faiss")
        self.database = sqlite3.connect(f"{folder}/texts.sqlite")

    def ten_best(self, question: str) -> list[str]:
        """The texts, best first."""
        _, rows = self.index.search(self.model.encode([question], normalize_embeddings=True), 10)
        select = "SELECT text FROM passages WHERE rowid = ?"
        texts = [self.database.execute(select, (row + 1,)).fetchone()[0] for row in rows[0].tolist()]
        if self.reranker is None:
            return texts
        return [texts[one["corpus_id"]] for one in self.reranker.rank(question, texts)]


if __name__ == "__main__":
    *given, question = sys.argv[1:]
    print(*Search(*given).ten_best(question), sep="\n")
