"""A search as one writes it in ten minutes: sentence-transformers and FAISS, one question, the ten best texts.

    python one_shot.py MODEL_FOLDER VECTORS.faiss TEXTS.sqlite QUESTION

What `relnotes ask` is compared with from cold. It imports nothing of ours, parses, quotes and verifies nothing.
"""

import sqlite3
import sys

import faiss
from sentence_transformers import SentenceTransformer

model_folder, vectors, texts, question = sys.argv[1:]
model = SentenceTransformer(model_folder, device="cpu")
index = faiss.read_index(vectors)
_, rows = index.search(model.encode([question], normalize_embeddings=True), 10)
database = sqlite3.connect(texts)
for row in rows[0].tolist():
    print(database.execute("SELECT text FROM passages WHERE rowid = ?", (row + 1,)).fetchone()[0])
