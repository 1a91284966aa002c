"""A catalogue of many kinds of products, for tests of what questions mean: dated or not, everyday words, CalVer."""

import re
from collections.abc import Sequence
from datetime import date

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.versions import Version
from retrieval.model import Query
from retrieval.question.interpretation import describe_versions
from retrieval.question.query import parse_query


def product(name: str, aliases: tuple[str, ...], releases: str) -> CatalogueProduct:
    """A product with `releases` written as "2.8=2025-08-06 2.9": versions, with or without their dates."""
    listed = []
    for release in releases.split():
        version, _, day = release.partition("=")
        listed.append(CatalogueRelease(Version.parse(version), date.fromisoformat(day) if day else None, ()))
    newest_first = sorted(listed, key=lambda release: release.version, reverse=True)
    return CatalogueProduct(name, aliases, tuple(newest_first), documents=1, passages=1)


CATALOGUE = (
    product(
        "Django",
        (),
        "3.2=2021-04-06 4.2=2023-04-03 5.0=2023-12-04 4.2.14=2024-07-09 5.0.7=2024-07-09 5.1=2024-08-07"
        " 5.1.4=2024-12-04 5.2=2025-04-02 6.0=2025-12-03",
    ),
    product(
        "PyTorch",
        ("torch",),
        "2.5=2024-10-17 2.6=2025-01-29 2.7=2025-04-23 2.8=2025-08-06 2.9=2025-10-15 2.10=2026-01-21 2.12=2026-05-13",
    ),
    product(
        "Python", ("cpython",), "3.8 3.9 3.10 3.11 3.12=2023-10-02 3.13=2024-10-07 3.14=2025-10-07 3.15.0b1=2026-05-05"
    ),
    product("pip", (), "23.1=2023-04-15 24.0=2024-02-03 25.0=2025-01-26 25.3=2025-10-24 26.0=2026-01-30"),
    product("sqlalchemy", ("SQLAlchemy",), "1.4.0 2.0.0=2023-01-26 2.0.40 2.1.0b1"),
    product("requests", (), "2.30.0 2.31.0 2.32.0 2.32.3"),
    product("Click", (), "8.0.0 8.1.0 8.1.8 8.2.0"),
    product("black", (), "24.3.0=2024-03-15 25.1.0=2025-01-29"),
    product("attrs", (), "23.1.0=2023-04-16 24.2.0=2024-08-06 25.1.0=2025-01-25"),
    product("rich", (), "13.9.0 14.0.0"),
    product("Flask", (), "2.3.0 3.0.0 3.1.0"),
    product("scikit-learn", (), "1.4.0 1.5.0 1.6.0"),
    product("NumPy", (), "1.26.0 2.0.0 2.1.0 2.2.0rc1"),
    product("React", (), "18.2.0=2022-06-14 19.0.0=2024-12-05 19.1.0=2025-03-28"),
    product("Kubernetes", (), "1.29=2023-12-13 1.30=2024-04-17 1.31=2024-08-13"),
    product("PostgreSQL", (), "15.4 16.0 16.4 17.0=2024-09-26"),
    product("Rust", (), "1.80.0 1.84.0 1.85.0=2025-02-20"),
    product("Node.js", (), "20.0.0 22.0.0"),
    product("sqlite-utils", (), "3.38 3.39.1 4.0"),
    product("FastAPI", (), "0.105.0 0.110.0 0.129.0"),
    product("httpx", (), "0.27.0 0.28.0 0.28.1"),
    product("pydantic", (), "1.10.0 2.11.0 2.12.0"),
    product("pytest", (), "7.4 8.0.0rc1 8.4.0 9.0.0"),
    product("Ubuntu", (), "22.04 24.04 24.10"),
    product("Home Assistant", ("home-assistant",), "2024.1 2024.12 2025.1 2025.10"),
)

UNMENTIONED = frozenset(
    """angular bat boot celery cython djanog jq keras kuberentes laravel numpyy pandas rails rg spring sqlalchmey
    tensorflow terraform""".split()
)
"""Words that no indexed note mentions."""


def understand(question: str, history: Sequence[str] = (), product: str | None = None) -> Query:
    """The question against this catalogue, on 15 June 2026; the notes mention its words, but for the unmentioned."""
    said = frozenset(re.findall(r"[\w-]+", " ".join((*history, question)).lower())) - UNMENTIONED
    return parse_query(
        question,
        history=history,
        product=product,
        catalogue=CATALOGUE,
        frequency=lambda word: int(word in said),
    )


def versions_of(query: Query) -> str | None:
    """The constraint as the interpretation shows it."""
    return describe_versions(query)
