"""What the committed claim files must hold."""

from collections import Counter

import pytest

from corpus.errors import SourceError
from evals.claims.claim_set import CLAIM_FULL_SUITES, ClaimType, ExpectedClaim, ExpectedText, load_claims, load_texts
from evals.grading import place_gold
from evals.matching import normalise
from evals.pages import FolderTexts, Pages
from evals.suites import Suite
from retrieval.claims.model import Verdict

VERDICTS = {
    ClaimType.TRUE: Verdict.SUPPORTED,
    ClaimType.HALF_TRUE: Verdict.PARTLY,
    ClaimType.UNKNOWN: Verdict.NOT_FOUND,
}
MAX_GOLD_CHARS = 700
BLIND = "blind"
Claims = dict[str, tuple[ExpectedClaim, ...]]
Texts = tuple[ExpectedText, ...]


@pytest.fixture(scope="module")
def claims() -> Claims:
    return {suite.name: load_claims(suite) for suite in CLAIM_FULL_SUITES}


@pytest.fixture(scope="module")
def texts() -> Texts:
    return tuple(text for suite in CLAIM_FULL_SUITES for text in load_texts(suite))


def everything(claims: Claims, texts: Texts) -> list[ExpectedClaim]:
    return [one for some in claims.values() for one in some] + [claim for text in texts for claim in text.claims]


def test_every_claim_is_well_formed(claims: Claims, texts: Texts) -> None:
    faults = [
        f"{example.id}: {fault}"
        for example in everything(claims, texts)
        for fault, present in (
            ("a verdict of another type", example.verdict is not VERDICTS.get(example.type, Verdict.CONTRADICTED)),
            ("unknown with gold", example.type is ClaimType.UNKNOWN and bool(example.gold)),
            ("known without gold", example.type is not ClaimType.UNKNOWN and not example.gold),
            ("blanks around it", example.claim != example.claim.strip()),
        )
        if present
    ]
    assert faults == []


def test_ids_and_claims_are_unique(claims: Claims, texts: Texts) -> None:
    ids = Counter(example.id for example in everything(claims, texts))
    said = Counter((name, normalise(one.claim)) for name, some in claims.items() for one in some)
    assert [one for one, times in (*ids.items(), *said.items()) if times > 1] == []


def test_a_project_is_in_one_half(claims: Claims) -> None:
    halves = {
        (one.project, one.split)
        for some in claims.values()
        for one in some
        if one.project != "pytorch" and one.split != BLIND
    }
    assert len(halves) == len({project for project, _ in halves})


@pytest.mark.parametrize("suite", CLAIM_FULL_SUITES, ids=lambda suite: suite.name)
def test_gold_stands_in_the_documents(suite: Suite) -> None:
    if not suite.is_available:
        pytest.skip(f"the documents of {suite.name} aren't beside this checkout")
    pages = Pages(FolderTexts(suite.documents))
    faults: list[str] = []
    for one in (*load_claims(suite), *(claim for text in load_texts(suite) for claim in text.claims)):
        try:
            places = place_gold(one.gold, pages)
        except SourceError as error:
            faults.append(f"{one.id}: {error}")
            continue
        faults.extend(
            f"{one.id}: gold of {len(place.places[0])} characters"
            for place in places
            if len(place.places[0]) > MAX_GOLD_CHARS
        )
    assert faults == []


@pytest.mark.parametrize("suite", CLAIM_FULL_SUITES, ids=lambda suite: suite.name)
def test_blind_gold_lies_apart_from_all_other_gold(suite: Suite) -> None:
    if not suite.is_available:
        pytest.skip(f"the documents of {suite.name} aren't beside this checkout")
    pages = Pages(FolderTexts(suite.documents))
    every = (*load_claims(suite), *(claim for text in load_texts(suite) for claim in text.claims))
    blind, seen = ([one for one in every if (one.split == BLIND) is wanted] for wanted in (True, False))
    taken = [place for claim in seen for place in place_gold(claim.gold, pages)]
    shared = [
        one.id
        for one in blind
        for place in place_gold(one.gold, pages)
        if any(place.covered_share(other.path, other.places[0]) > 0 for other in taken)
    ]
    assert shared == []
