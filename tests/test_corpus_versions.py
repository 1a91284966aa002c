"""Versions: what is one, how they are ordered, what a constraint accepts, where prose mentions one."""

from itertools import pairwise

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version as Pep440Version

from corpus.errors import UsageError
from corpus.version_gaps import find_version_gaps
from corpus.version_mentions import find_versions
from corpus.versions import Version, VersionConstraint, VersionMatch


def v(text: str) -> Version:
    return Version.parse(text)


_release_numbers = st.lists(st.integers(0, 30), min_size=1, max_size=5).map(lambda ns: ".".join(map(str, ns)))
_suffixes = st.sampled_from(
    "rc1 a1 b2 .dev3 .post1 -1 w p2 -rc.1 -alpha -alpha.beta -canary.4 rc10 +cu128 a1.dev2 .post1.dev2 -SNAPSHOT "
    ".RELEASE -notes rc1+local.7 -beta-x -beta.2 -2~deb12u1 +dfsg-3 ~rc1-1 ~git2024-1 -jre +9 -1ubuntu0.1 _01".split()
) | st.just("")
_texts = st.builds(lambda release, suffix: release + suffix, _release_numbers, _suffixes)
versions = _texts.map(Version.try_parse).filter(lambda version: version is not None)


@pytest.mark.parametrize(("text", "label", "release"), read_rows("corpus-a-version-is-read-and-labelled"))
def test_a_version_is_read_and_labelled(text: str, label: str, release: tuple[int, ...]) -> None:
    assert (v(text).label, v(text).release) == (label, release)


@pytest.mark.parametrize(
    "text",
    [
        *"v latest 2. .5 2..8 2.x 2024-13-17 1.2.3foo 1.2.md 1.0;rm 1.0+ 1.0+-x 127.0.0.1:80 10:30".split(),
        "",
        "\uff11.\uff12",
        "9" * 19,
        "1.0rc" + "9" * 19,
        "1." * 9 + "1",
        "1.0" + "a" * 100,
        "2.8, 2.9",
        "2.8\n",
    ],
)
def test_what_is_no_version_is_a_usage_error_that_shows_it(text: str) -> None:
    assert Version.try_parse(text) is None
    with pytest.raises(UsageError, match="Not a version: "):
        Version.parse(text)


@pytest.mark.parametrize("ascending", read_rows("corpus-versions-order", list))
def test_versions_order(ascending: list[str]) -> None:
    parsed = [v(text) for text in ascending]
    assert all(low < high for low, high in pairwise(parsed))


@pytest.mark.parametrize(("first", "second"), read_rows("corpus-versions-that-name-the-same-release-are-equal"))
def test_versions_that_name_the_same_release_are_equal(first: str, second: str) -> None:
    assert v(first) == v(second)
    assert hash(v(first)) == hash(v(second))


@given(versions, versions, versions)
def test_order_is_total(a: Version, b: Version, c: Version) -> None:
    assert (a < b) + (a == b) + (a > b) == 1
    assert (a < b) == (b > a)
    assert not (a <= b and b <= c) or a <= c


@given(versions)
def test_a_label_reads_back_to_the_same_version(version: Version) -> None:
    again = Version.parse(str(version))
    assert (again, again.label, again.release) == (version, version.label, version.release)


@given(st.text(max_size=80))
def test_any_text_either_reads_back_or_is_refused(text: str) -> None:
    version = Version.try_parse(text)
    assert version is None or Version.parse(version.label) == version


@given(
    *[st.from_regex(r"[0-9]{1,2}(\.[0-9]{1,2}){0,3}((a|b|rc)[0-9])?(\.post[0-9])?(\.dev[0-9])?", fullmatch=True)] * 2
)
def test_order_agrees_with_packaging(first: str, second: str) -> None:
    """PEP 440 leaves nothing open for versions written in its own normal form."""
    assert (v(first) < v(second)) == (Pep440Version(first) < Pep440Version(second))


@given(versions)
def test_base_is_final_and_no_lower(version: Version) -> None:
    assert not version.base.is_prerelease
    assert version.base >= version
    assert (version.base == version) == (not version.is_prerelease)
    assert version.base.base == version.base


@pytest.mark.parametrize(
    "text",
    "1.0rc1 1.0-alpha.beta 1.0.dev3 1.0a1.dev2 1.0.post1.dev2 1.0-SNAPSHOT 1.0.0-canary.4 1.0.0-next 1.0~rc1-2"
    " 1.0~git2024-1 4.4-dev7".split(),
)
def test_what_leads_to_a_release_is_no_release(text: str) -> None:
    assert v(text).is_prerelease
    assert not v(text).base.is_prerelease


@given(versions)
def test_a_version_belongs_to_its_series(version: Version) -> None:
    assert VersionConstraint.exactly(version.series).contains(version)


@pytest.mark.parametrize(
    ("asked", "version", "expected"), read_rows("corpus-an-asked-version-takes-its-prereleases-and-its")
)
def test_an_asked_version_takes_its_prereleases_and_its_patches(asked: str, version: str, expected: str) -> None:
    assert VersionConstraint.exactly(v(asked)).match(v(version)) is VersionMatch[expected]


@pytest.mark.parametrize(
    ("constraint", "human", "inside", "outside"),
    [
        pytest.param(
            VersionConstraint.between(v("2.8"), v("2.12")),
            "2.8 < version ≤ 2.12",
            ["2.8.1", "2.9", "2.9.0rc1", "2.12rc1", "2.12", "2.12.1"],
            ["2.8", "2.8.0rc1", "2.7", "2.13rc1", "2.13"],
            id="upgrade",
        ),
        pytest.param(
            VersionConstraint.between(v("2.11"), v("2.12")),
            "2.11 < version ≤ 2.12",
            ["2.12-1", "2.12-3.fc40", "1:2.12-3", "2.11.1-1"],
            ["2.11-1", "2.11-7", "1:2.11-1", "2.13-1"],
            id="upgrade past revisions",
        ),
        pytest.param(
            VersionConstraint.between(v("3.38"), v("4.0.0")),
            "3.38 < version ≤ 4.0.0",
            ["3.39", "4.0a1", "4.0"],
            ["4.0.1", "3.38.0"],
            id="upgrade to one release",
        ),
        pytest.param(
            VersionConstraint.through(v("4.2"), v("5.1")),
            "4.2 ≤ version ≤ 5.1",
            ["4.2", "4.2rc1", "4.2.7", "5.1.3"],
            ["4.1.13", "5.2"],
            id="through",
        ),
        pytest.param(VersionConstraint.since(v("2.10")), "since 2.10", ["2.10rc1", "2.10", "3"], ["2.9.9"], id="since"),
        pytest.param(VersionConstraint.after(v("3.0")), "after 3.0", ["3.0.1", "4"], ["3.0", "3.0rc1"], id="after"),
        pytest.param(VersionConstraint.before(v("3.0")), "before 3.0", ["2.9.9"], ["3.0rc1", "3.0"], id="before"),
        pytest.param(VersionConstraint.up_to(v("3.0")), "up to 3.0", ["1", "3.0.2"], ["3.1a1"], id="up to"),
        pytest.param(
            VersionConstraint.exactly(v("5.2"), v("5.0"), v("5.1")), "5.0, 5.1 and 5.2", ["5.1.7"], ["5.3"], id="some"
        ),
        pytest.param(VersionConstraint.before(v("3.0rc2")), "before 3.0rc2", ["3.0rc1"], ["3.0rc2"], id="candidates"),
    ],
)
def test_a_constraint_says_what_it_holds(
    constraint: VersionConstraint, human: str, inside: list[str], outside: list[str]
) -> None:
    assert str(constraint) == human
    assert [text for text in inside if not constraint.contains(v(text))] == []
    assert [text for text in outside if constraint.contains(v(text))] == []


@pytest.mark.parametrize(("low", "high"), [("2.9", "2.8"), ("2.8", "2.8.0"), ("2.8", "2.8rc1")])
def test_a_range_must_rise(low: str, high: str) -> None:
    with pytest.raises(UsageError, match="must be lower"):
        VersionConstraint.between(v(low), v(high))


@given(versions, versions)
def test_equal_versions_match_alike(asked: Version, version: Version) -> None:
    same = Version.parse(".".join(map(str, (*version.release, 0))) + version.label[len(_digits(version.label)) :])
    if same == version:  # a letter or a revision after three components is another version than after two
        asked_for = VersionConstraint.exactly(asked)
        assert asked_for.match(same) is asked_for.match(version)


@given(versions, versions, versions)
def test_an_upgrade_is_the_sum_of_its_steps(a: Version, b: Version, c: Version) -> None:
    low, mid, high = (Version.parse(".".join(map(str, (*x.release, 0, 0, 0)[:3]))) for x in sorted((a, b, c)))
    if low < mid < high:
        steps = VersionConstraint.between(low, mid), VersionConstraint.between(mid, high)
        whole = VersionConstraint.between(low, high)
        for version in (a, b, c, low, mid, high):
            assert whole.contains(version) == any(step.contains(version) for step in steps)


def _digits(label: str) -> str:
    return label[: next((i for i, c in enumerate(label) if c not in "0123456789."), len(label))].rstrip(".")


@pytest.mark.parametrize(
    ("text", "expected"),
    [*read_rows("corpus-mentions-in-prose", list), ("1.1.1." + "9" * 5000 + ", 17." + "9" * 5000 + ".2024", [])],
)
def test_mentions_in_prose(text: str, expected: list[str]) -> None:
    assert [mention.version.label for mention in find_versions(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"), read_rows("corpus-a-bare-number-counts-after-a-name-that-the-caller", list)
)
def test_a_bare_number_counts_after_a_name_that_the_caller_gives(text: str, expected: list[str]) -> None:
    assert [mention.version.label for mention in find_versions(text, names=("Django",))] == expected


@given(st.text(alphabet="0123456789.vx-+ ()/%abrc,→to", max_size=60))
def test_mentions_are_ordered_disjoint_slices_that_read_as_their_version(text: str) -> None:
    mentions = find_versions(text)
    assert all(one.end <= other.start for one, other in pairwise(mentions))
    for mention in mentions:
        written = text[mention.start : mention.end]
        version = Version.try_parse(written) or Version.parse(written[:-2])  # "2.x" is 2
        assert version.label == mention.version.label


@pytest.mark.parametrize(("known", "gaps"), read_rows("corpus-holes-in-a-row-of-versions", list))
def test_holes_in_a_row_of_versions(known: str, gaps: list[str]) -> None:
    assert [str(gap) for gap in find_version_gaps(map(Version.parse, known.split()))] == gaps


@pytest.mark.parametrize("name", ["tables", "step", "Figures", "page"])
def test_a_number_behind_a_product_called_like_a_part_is_a_version(name: str) -> None:
    found = find_versions(f"what is new in {name} 3.10.2", names=(name,))
    assert [str(mention.version) for mention in found] == ["3.10.2"]
    assert not find_versions(f"see {name} 3.10 of the manual", names=("gizmo",))
