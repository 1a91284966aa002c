"""Documents that name a product differently are one product."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.catalogue import CatalogueProduct, CatalogueRelease, ProductMention, group_products
from corpus.model import Authority
from corpus.versions import Version


def mention(
    number: int, product: str, *aliases: str, releases: tuple[CatalogueRelease, ...] = (), is_notes: bool = True
) -> ProductMention:
    authority = Authority.OFFICIAL if is_notes else Authority.PROJECT
    return ProductMention(product, aliases, passages=10 * number, releases=releases, authority=authority)


def release(version: str, day: date | None = None, source: str = "a.md") -> CatalogueRelease:
    return CatalogueRelease(Version.parse(version), day, (source,))


def test_each_document_is_a_product_called_by_any_of_its_names_in_any_case() -> None:
    assert group_products(()) == ()
    assert group_products([mention(1, "Django", "dj")]) == (CatalogueProduct("Django", ("dj",), (), 1, 10),)
    (product,) = group_products([mention(1, "Python", "cpython")])
    assert [product.is_called(name) for name in ("PYTHON", "CPython", "Jython", "")] == [True, True, False, False]
    assert [product.name for product in group_products(mention(1, name) for name in "bCA")] == ["A", "b", "C"]


@pytest.mark.parametrize(
    ("mentions", "names"),
    [
        pytest.param([("Python",), ("PYTHON",), ("ruff",)], [{"Python", "PYTHON"}, {"ruff"}], id="case"),
        pytest.param([("Python", "cpython"), ("cpython",)], [{"Python", "cpython"}], id="name meets alias"),
        pytest.param([("A", "x"), ("B", "X")], [{"A", "x", "B", "X"}], id="alias meets alias"),
        pytest.param(
            [("A", "x"), ("B", "y"), ("C", "z"), ("D", "y", "z"), ("E", "x", "y")],
            [{"A", "B", "C", "D", "E", "x", "y", "z"}],
            id="a chain joins groups found before",
        ),
        pytest.param(
            [("A", "x"), ("B", "y"), ("C", "x", "y"), ("D", "B")], [{*"ABCDxy"}], id="a name of a group that was joined"
        ),
        pytest.param([("A", ""), ("B", "")], [{"A"}, {"B"}], id="an empty alias joins nothing"),
    ],
)
def test_shared_names_join(mentions: list[tuple[str, ...]], names: list[set[str]]) -> None:
    products = group_products(mention(number, *written) for number, written in enumerate(mentions))
    assert [{product.name, *product.aliases} for product in products] == names
    assert sum(product.documents for product in products) == len(mentions)


def test_releases_are_merged_newest_first_with_their_earliest_date() -> None:
    (product,) = group_products(
        [
            mention(1, "demo", releases=(release("2.9", date(2025, 3, 2), "b.md"), release("2.10", None, "b.md"))),
            mention(2, "demo", releases=(release("2.9.0", date(2025, 3, 1), "a.md"), release("2.9", None, "b.md"))),
            mention(3, "demo", releases=(release("2.10rc1", date(2025, 4, 1), "c.md"),)),
        ]
    )
    assert product.releases == (
        CatalogueRelease(Version.parse("2.10"), None, ("b.md",)),
        CatalogueRelease(Version.parse("2.10rc1"), date(2025, 4, 1), ("c.md",)),
        CatalogueRelease(Version.parse("2.9"), date(2025, 3, 1), ("a.md", "b.md")),
    )


@pytest.mark.parametrize(
    ("noted", "guided", "pending"),
    [
        pytest.param([release("3.1")], [release("4.0"), release("3.0")], ["4.0"], id="newer than all that have notes"),
        pytest.param([release("4.0b1")], [release("4.0")], ["4.0"], id="a final one of which there are candidates"),
        pytest.param([release("4.1")], [release("4.0")], [], id="older ones were passed"),
        pytest.param([release("3.1")], [release("4.0", date(2025, 3, 1))], [], id="a day tells that it came out"),
        pytest.param([release("4.0")], [release("4.0")], [], id="it has notes too"),
        pytest.param([], [release("4.0"), release("3.0")], [], id="nothing but guides"),
        pytest.param([release("4.0")], [replace(release("4.0"), pending=True)], [], id="one place has it out"),
    ],
)
def test_a_release_that_only_guides_name_is_not_out_before_the_notes_reach_it(
    noted: list[CatalogueRelease], guided: list[CatalogueRelease], pending: list[str]
) -> None:
    (product,) = group_products(
        [mention(1, "demo", releases=tuple(noted)), mention(2, "demo", releases=tuple(guided), is_notes=False)]
    )
    assert [str(one.version) for one in product.releases if one.pending] == pending


names = st.sampled_from(["a", "A", "b", "c", "d", "e", "f"])


@given(
    st.lists(st.lists(names, min_size=1, max_size=3), max_size=12).flatmap(
        lambda rows: st.tuples(st.just(rows), st.permutations(rows))
    )
)
def test_grouping_depends_on_no_order(rows_twice: tuple[list[list[str]], list[list[str]]]) -> None:
    first, second = (group_products(mention(1, *row) for row in rows) for rows in rows_twice)
    assert first == second
    called = [
        name.casefold() for product in first for name in {product.name.casefold(), *map(str.casefold, product.aliases)}
    ]
    assert len(called) == len(set(called))
