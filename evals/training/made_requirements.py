"""Generated questions about what a release runs on, paired with generated entries: they teach a network to compare
versions, for which few written examples exist."""

import random
from collections.abc import Iterator

from corpus.versions import Version
from retrieval.judge.pairs import JudgedItem, Side, read_pair

YES, NO, SILENT = range(3)
_PLATFORMS = {
    "Python": "3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.13",
    "Node.js": "14 16 18 20 22 24",
    "PHP": "7.4 8.0 8.1 8.2 8.3",
    "Ruby": "2.7 3.0 3.1 3.2 3.3",
    "Go": "1.18 1.19 1.20 1.21 1.22 1.23",
    "Java": "8 11 17 21",
    "PostgreSQL": "11 12 13 14 15 16",
    "OpenSSL": "1.0.2 1.1.0 1.1.1 3.0 3.2",
    "Qt": "5.12 5.15 6.2 6.5",
    "CMake": "3.5 3.10 3.16 3.22",
    "glibc": "2.17 2.28 2.31 2.35",
    "Kubernetes": "1.24 1.25 1.27 1.28 1.30",
}
_NEEDS = (
    "The oldest {0} that is supported is {2}.",
    "{0} {2} or later is needed to build and run.",
    "Raise the minimum {0} version from {1} to {2}",
    "minimum {0} is {2} now",
    "Now needs at least {0} {2}.",
    "We no longer support {0} versions below {2}.",
    "Dropped {0} {1}; {2} is the oldest one that works.",
    "Supported: {0} {2} and above.",
    "requires {0} >= {2}",
    "{0} {2} is now the minimum",
    "The minimum supported {0} is now {2}.",
    "Bump required {0} version to {2}",
    "Minimum {0} version: {2}",
    "{0} older than {2} isn't supported any longer.",
    "Increased the lowest supported version of {0} to {2}",
)
_ENDS = (
    "Removed support for {0} {1}",
    "{0} {1} has reached its end of life and isn't supported any more.",
    "Drop {0} {1}.",
    "Stop testing on and supporting {0} {1}",
)
_ADDS = ("Add support for {0} {2}", "{0} {2} is supported now.", "Official {0} {2} support and binaries")
_RUNS = (
    "does {0} {1} run on {2} {3}",
    "can i run {0} {1} on {2} {3}",
    "{2} {3} and {0} {1}, will it go",
    "does {0} {1} work with {2} {3}",
    "can {0} {1} be used with {2} {3}",
    "will {0} {1} work on {2} {3}",
    "is {2} {3} enough for {0} {1}",
    "we are on {2} {3}, can we take {0} {1}",
    "{0} {1} with {2} {3}, fine?",
    "does {0} {1} support {2} {3}",
    "is {2} {3} still supported in {0} {1}",
    "{2} {3} ok with {0} {1}",
)
_DROPPED = (
    "did {0} {1} drop {2} {3}",
    "is {2} {3} gone in {0} {1}",
    "has support for {2} {3} ended with {0} {1}",
)
_RELEASED = ("{0}", "{0} (2025-06-02)", "Version {0}", "v{0} - 14 March 2024", "Release {0}")
_TITLES = ("Changes", "Requirements", "Compatibility", "Other", "Breaking changes")


def made_requirements(rng: random.Random, *, limit: int) -> Iterator[tuple[tuple[Side, Side], int]]:
    """Yield `limit` pairs of a question and an entry, with the entry's answer: `YES`, `NO` or `SILENT`."""
    for _ in range(limit):
        platform = wanted_platform = rng.choice(list(_PLATFORMS))
        versions = _PLATFORMS[platform].split()
        stated, wanted = rng.randrange(1, len(versions)), rng.randrange(len(versions))
        entries = rng.choice((_NEEDS, _NEEDS, _ENDS, _ADDS))
        if entries is not _NEEDS and rng.random() < 0.6:
            wanted = stated - (entries is _ENDS)
        is_end = entries is not _ADDS and rng.random() < 0.25
        if entries is _NEEDS:
            answer = YES if (wanted >= stated) is not is_end else NO
        elif entries is _ENDS:
            answer = SILENT if wanted >= stated else YES if is_end else NO
        else:
            answer = YES if wanted == stated else SILENT
        version = versions[wanted]
        if rng.random() < 0.12:
            wanted_platform, answer = rng.choice([name for name in _PLATFORMS if name != platform]), SILENT
            version = rng.choice(_PLATFORMS[wanted_platform].split())
        product, release = (
            rng.choice("kettle harbor nimbus gizmo otter larch".split()),
            rng.choice("2.0 3.1 4".split()),
        )
        question = rng.choice(_DROPPED if is_end else _RUNS).format(product, release, wanted_platform, version)
        entry = rng.choice(entries).format(platform, versions[stated - 1], versions[stated])
        number = Version.parse(release)
        heading = [product.title(), rng.choice(_RELEASED).format(release), rng.choice(_TITLES)]
        item = JudgedItem(entry, product, "", heading[rng.randrange(2) :], number)
        yield read_pair(question.lower() if rng.random() < 0.5 else question, (number,), item), answer
