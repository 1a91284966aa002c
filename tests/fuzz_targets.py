"""Every fuzz target by name."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

from fuzz_answers import answer_targets
from fuzz_bench import open_bench
from fuzz_documents import document_targets
from fuzz_requests import request_targets
from fuzz_target import Target
from fuzz_texts import text_targets


@contextmanager
def open_targets() -> Iterator[dict[str, Target]]:
    """All targets for a `with` block; the server that some of them ask is started by the first of them."""
    with ExitStack() as opened:
        bench = cache(lambda: opened.enter_context(open_bench()))
        targets = (*document_targets(), *text_targets(), *request_targets(bench), *answer_targets(bench))
        yield {target.name: target for target in targets}
