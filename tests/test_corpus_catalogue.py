"""Documents that name a product differently are one product."""

from hypothesis import given
from hypothesis import strategies as st

from corpus.catalogue import ProductMention, group_products
from corpus.model import Authority


def mention(product: str, *aliases: str) -> ProductMention:
    return ProductMention(product, aliases, passages=10, releases=(), authority=Authority.OFFICIAL)


names = st.sampled_from(["a", "A", "b", "c", "d", "e", "f"])


@given(
    st.lists(st.lists(names, min_size=1, max_size=3), max_size=12).flatmap(
        lambda rows: st.tuples(st.just(rows), st.permutations(rows))
    )
)
def test_grouping_depends_on_no_order(rows_twice: tuple[list[list[str]], list[list[str]]]) -> None:
    first, second = (group_products(mention(*row) for row in rows) for rows in rows_twice)
    assert first == second
    called = [
        name.casefold() for product in first for name in {product.name.casefold(), *map(str.casefold, product.aliases)}
    ]
    assert len(called) == len(set(called))
