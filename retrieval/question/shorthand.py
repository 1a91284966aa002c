"""Questions of a product, a runtime and a number, as people type them into a search box."""

from corpus.everyday_words import PLATFORMS
from retrieval.products.known import KnownProducts
from retrieval.question.tokens import TokenKind, tokenize_question

_BESIDE = frozenset(
    "w/ with and on for in under using v version support supported compatibility compatible work still ok yet".split()
)


def expand_shorthand(text: str, known: KnownProducts) -> str:
    """Return "does gizmo run on node 18?" for "gizmo on node 18" (product, runtime or product, number), else `text`."""
    tokens = tokenize_question(text, known).tokens
    words = [token for token in tokens if token.kind is not TokenKind.MARK and token.word not in _BESIDE]
    named = [token for token in words if token.kind is TokenKind.PRODUCT and token.word not in PLATFORMS]
    numbers = [token for token in words if token.version or token.text.lstrip("vV").isdecimal()]
    if len(words) != 3 or not named or len(numbers) != 1 or words[0] is numbers[0]:
        return text
    runtime = words[words.index(numbers[0]) - 1]
    product = next((token for token in named if token is not runtime), None)
    if product is None or not (runtime.word in PLATFORMS | {"go"} or runtime in named):
        return text
    return f"does {product.text} run on {runtime.text} {numbers[0].text}?"
