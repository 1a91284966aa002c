"""Who speaks for a product: what each origin may claim beside another one, whichever came first."""

from dataclasses import replace

import pytest
from page_answers import DOCUMENT

from corpus.index.speakers import find_contests, grant
from corpus.index.stored import DocumentSummary
from corpus.model import Authority, Claim, Speaker


def document(
    origin: str, claim: Claim, *, since: int = 1, product: str = "Gizmo", own: str = "", kin: tuple[str, ...] = ()
) -> DocumentSummary:
    speaker = Speaker(origin, claim, own, (), kin, since)
    return replace(DOCUMENT, id=since, root=origin, source=f"{origin}/notes.md", product=product, speaker=speaker)


def as_granted(*documents: DocumentSummary) -> list[tuple[str, str]]:
    granted = grant(documents, find_contests(documents))
    return [(one.product, "official" if one.authority is Authority.OFFICIAL else "not") for one in granted]


PYPI = document("pypi:gizmo", Claim.NAME, product="gizmo", kin=("github:acme/gizmo", "gizmo.example"))
FOLDER = document("/x/gizmo/", Claim.USER)
TAG = document("github:enemy/tool", Claim.TAG, since=2, product="gizmo", own="tool/gizmo")
PAGE = document("news.example", Claim.STRANGER, since=2)
TITLED = document("/x/other/", Claim.TEXT, since=2)
REPOSITORY = document("github:enemy/gizmo", Claim.NAME, since=2, product="gizmo")


def since(one: DocumentSummary, generation: int) -> DocumentSummary:
    return replace(one, id=generation, speaker=replace(one.speaker, since=generation))


@pytest.mark.parametrize(
    ("first", "second", "granted"),
    [
        pytest.param(PYPI, TAG, [("gizmo", "official"), ("tool/gizmo", "official")], id="a tag of another repository"),
        pytest.param(
            PYPI, since(TAG, 0), [("gizmo", "official"), ("tool/gizmo", "official")], id="a tag that came first"
        ),
        pytest.param(FOLDER, TAG, [("Gizmo", "official"), ("tool/gizmo", "official")], id="a tag beside a folder"),
        pytest.param(
            TAG,
            document("github:b/x", Claim.TAG, since=2, product="gizmo", own="x/gizmo"),
            [("tool/gizmo", "official"), ("x/gizmo", "official")],
            id="two tags at once",
        ),
        pytest.param(PYPI, PAGE, [("gizmo", "official"), ("gizmo", "not")], id="a page's title"),
        pytest.param(PYPI, since(PAGE, 0), [("gizmo", "official"), ("gizmo", "not")], id="a page that came first"),
        pytest.param(FOLDER, TITLED, [("Gizmo", "official"), ("Gizmo", "not")], id="the title of a file"),
        pytest.param(PAGE, since(TITLED, 3), [("Gizmo", "official"), ("Gizmo", "not")], id="a file's after a page's"),
        pytest.param(PYPI, REPOSITORY, [("gizmo", "official"), ("gizmo", "not")], id="another repository called so"),
        pytest.param(FOLDER, PYPI, [("Gizmo", "official"), ("gizmo", "official")], id="a folder beside a package"),
        pytest.param(
            since(PYPI, 2), TITLED, [("gizmo", "official"), ("gizmo", "not")], id="a file at once with a package"
        ),
        pytest.param(
            since(PYPI, 3),
            TITLED,
            [("gizmo", "official"), ("Gizmo", "official")],
            id="a file of the user's that was there",
        ),
        pytest.param(
            PYPI,
            document("github:acme/gizmo", Claim.NAME, since=2),
            [("gizmo", "official"), ("Gizmo", "official")],
            id="the repository that a package names",
        ),
        pytest.param(
            document("github:acme/gizmo", Claim.NAME),
            since(PYPI, 2),
            [("Gizmo", "official"), ("gizmo", "official")],
            id="the package that names a repository",
        ),
        pytest.param(
            PYPI,
            document("docs.gizmo.example", Claim.STRANGER, since=2),
            [("gizmo", "official"), ("Gizmo", "official")],
            id="the site that a package names",
        ),
        pytest.param(
            document("gizmo.example", Claim.STRANGER),
            document("blog.gizmo.example", Claim.STRANGER, since=2),
            [("Gizmo", "official"), ("Gizmo", "official")],
            id="pages of one site",
        ),
        pytest.param(
            document("/x/*", Claim.TEXT),
            document("/x/", Claim.TEXT, since=2),
            [("Gizmo", "official"), ("Gizmo", "official")],
            id="a file and its folder",
        ),
        pytest.param(
            document("/x/gizmo.md", Claim.USER),
            document("/x/*", Claim.TEXT, since=2),
            [("Gizmo", "official"), ("Gizmo", "not")],
            id="a file beside one that the user names",
        ),
        pytest.param(TAG, PAGE, [("tool/gizmo", "official"), ("Gizmo", "official")], id="a page after a tag"),
        pytest.param(
            PYPI,
            document("github:x/y", Claim.USER, since=2),
            [("gizmo", "official"), ("Gizmo", "official")],
            id="what the user says",
        ),
    ],
)
def test_what_an_origin_may_claim(
    first: DocumentSummary, second: DocumentSummary, granted: list[tuple[str, str]]
) -> None:
    assert as_granted(first, second) == granted
    assert as_granted(second, first) == granted[::-1], "whatever the order of documents"
