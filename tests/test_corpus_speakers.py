"""Who speaks for a product: whom the user names, whichever came first; all else is attributed."""

from dataclasses import replace

import pytest
from page_answers import DOCUMENT

from corpus.index.speakers import apply_contests, find_contests
from corpus.index.stored import DocumentSummary
from corpus.model import Authority, Claim, Speaker


def document(
    origin: str, claim: Claim, *, since: int = 1, product: str = "Gizmo", own: str = "", kin: tuple[str, ...] = ()
) -> DocumentSummary:
    speaker = Speaker(origin, claim, own, (), kin, since)
    return replace(DOCUMENT, id=since, root=origin, source=f"{origin}/notes.md", product=product, speaker=speaker)


def as_granted(*documents: DocumentSummary) -> list[str]:
    granted = apply_contests(documents, find_contests(documents))
    return [one.product + " (not)" * (one.authority is not Authority.OFFICIAL) for one in granted]


PYPI = document("pypi:gizmo", Claim.NAMED, product="gizmo", kin=("github:acme/gizmo", "gizmo.example"))
FOLDER = document("/x/gizmo/", Claim.NAMED)
TAG = document("github:enemy/tool", Claim.TEXT, since=2, product="gizmo", own="tool/gizmo")
PAGE = document("news.example", Claim.TEXT, since=2)
TITLED = document("/x/other/", Claim.TEXT, since=2)
REPOSITORY = document("github:enemy/gizmo", Claim.NAMED, since=2, product="gizmo")


def since(one: DocumentSummary, generation: int) -> DocumentSummary:
    return replace(one, id=generation, speaker=replace(one.speaker, since=generation))


@pytest.mark.parametrize(
    ("first", "second", "granted"),
    [
        pytest.param(PYPI, TAG, "gizmo, tool/gizmo", id="a tag of another repository"),
        pytest.param(PYPI, since(TAG, 0), "gizmo, tool/gizmo", id="a tag that came first"),
        pytest.param(FOLDER, TAG, "Gizmo, tool/gizmo", id="a tag beside a folder"),
        pytest.param(
            TAG, document("github:b/x", Claim.TEXT, since=3, product="gizmo", own="x/gizmo"), "gizmo, x/gizmo",
            id="two tags",
        ),
        pytest.param(PYPI, PAGE, "gizmo, gizmo (not)", id="a page's title"),
        pytest.param(PYPI, since(PAGE, 0), "gizmo, gizmo (not)", id="a page that came first"),
        pytest.param(FOLDER, TITLED, "Gizmo, Gizmo (not)", id="the title of a file"),
        pytest.param(PAGE, since(TITLED, 3), "Gizmo, Gizmo (not)", id="a file's after a page's"),
        pytest.param(PYPI, REPOSITORY, "gizmo, gizmo", id="two that were asked for by name"),
        pytest.param(FOLDER, PYPI, "Gizmo, gizmo", id="a folder beside a package"),
        pytest.param(since(PYPI, 3), TITLED, "gizmo, gizmo (not)", id="a file of the user's that was there"),
        pytest.param(PYPI, document("github:acme/gizmo", Claim.TEXT, since=2), "gizmo, Gizmo",
                     id="a page of the repository that a package names"),
        pytest.param(PYPI, document("docs.gizmo.example", Claim.TEXT, since=2), "gizmo, Gizmo",
                     id="the site that a package names"),
        pytest.param(document("gizmo.example", Claim.TEXT), document("blog.gizmo.example", Claim.TEXT, since=2),
                     "Gizmo, Gizmo", id="pages of one site"),
        pytest.param(document("/x/*", Claim.TEXT), document("/x/", Claim.TEXT, since=2), "Gizmo, Gizmo",
                     id="a file and its folder"),
        pytest.param(document("/x/gizmo.md", Claim.FILE), document("/x/*", Claim.TEXT, since=0), "Gizmo, Gizmo (not)",
                     id="a file beside one that is called so"),
        pytest.param(PYPI, document("/x/gizmo.md", Claim.FILE, since=0), "gizmo, gizmo (not)",
                     id="a file that is called so beside what was asked for"),
        pytest.param(TAG, since(PAGE, 3), "gizmo, gizmo (not)", id="a page after a tag"),
        pytest.param(PYPI, document("github:x/y", Claim.NAMED, since=2), "gizmo, Gizmo", id="what the user says"),
    ],
)  # fmt: skip
def test_what_an_origin_may_claim(first: DocumentSummary, second: DocumentSummary, granted: str) -> None:
    assert as_granted(first, second) == granted.split(", ")
    assert as_granted(second, first) == granted.split(", ")[::-1], "whatever the order of documents"


@pytest.mark.parametrize(
    ("folder", "is_joined"), [("gizmo5", True), ("Gizmo5", True), ("other", False), ("gizmo5/notes", False)]
)
def test_a_folder_joins_what_its_files_call_otherwise(folder: str, is_joined: bool) -> None:
    named = document("/x/", Claim.NAMED, product="gizmo5")
    guide = replace(document(f"/x/{folder}/", Claim.TEXT, since=2), aliases=("gizmo5",))
    granted = apply_contests((named, guide), find_contests((named, guide)))
    assert granted[1].aliases == (("gizmo5",) if is_joined else ())
