"""The questions that benchmarks ask: ours over ../shared/corpora, those that stand by themselves."""

from evals.suites import CORPORA, CORPUS, load_suite


def bench_questions() -> tuple[str, ...]:
    """Questions without a conversation before them and without a channel's product, so that all systems get the same.

    Raises:
        UsageError: as `load_questions`.
    """
    return tuple(one.question for one in load_suite(CORPORA) if not (one.history or one.product or one.version))


def varied_questions(count: int) -> tuple[str, ...]:
    """`count` different questions, those over our own documents after the others.

    Raises:
        UsageError: as `load_questions`.
    """
    asked = (*bench_questions(), *(one.question for one in load_suite(CORPUS) if not one.history))
    return tuple(dict.fromkeys(asked))[:count]
