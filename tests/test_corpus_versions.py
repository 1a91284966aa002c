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


@pytest.mark.parametrize(
    "ascending",
    [
        ["1.0.2", "1.0.2u", "1.0.2z", "1.0.2za", "1.0.2zg", "1.0.3"],
        ["20260101", "2026-1-30", "2026-01-30-2", "2026-01-30-10", "20260131+deb12u1", "2026-9-01"],
        pytest.param(["1.0.dev1", "1.0a1.dev1", "1.0a1", "1.0a2", "1.0b1", "1.0rc1", "1.0", "1.0.post1"], id="PEP 440"),
        pytest.param(
            [*(f"1.0.0-{end}" for end in "alpha alpha.1 alpha.beta beta beta.2 beta.11 rc.1".split()), "1.0.0"],
            id="the SemVer specification's own example",
        ),
        pytest.param(["2.0.0-rc9", "2.0.0-rc10", "2.0.0"], id="glued numbers count as numbers"),
        pytest.param(["23.2.0", "24.1.0", "24.3.0", "2024.1"], id="CalVer"),
        pytest.param(["2.8", "2.9", "2.9_01", "2.9_02", "2.10", "2.12"], id="components are numbers, not decimals"),
        pytest.param(["20240203-110809", "20240203-1630", "20240204-0001"], id="builds by their time"),
        pytest.param(["8.0.0-preview.7", "8.0.0-rc.1", "8.0.0"], id="previews before candidates"),
        pytest.param(["21w44a", "22w07a", "22w07b", "22w10a", "1.18-pre7", "1.18"], id="builds by their week"),
        pytest.param(["1.1.1", "1.1.1b", "1.1.1w", "1.1.1za", "1.1.2"], id="OpenSSL letters are patches"),
        pytest.param(["2023d", "2024a", "2024b"], id="calendar letters"),
        pytest.param(
            ["3.1b1", "3.1rc1", "3.1", "3.1a", "3.1c", "3.2"], id="letters alone are patches, numbered ones not"
        ),
        pytest.param(["4.3", "4.3-1", "4.3-2", "4.3.1"], id="revisions"),
        pytest.param(
            "1.2~git2024-1 1.2~rc1-1 1.2~rc1-2 1.2-1~bpo12+1 1.2-1~deb12u1 1.2-1~deb12u2 1.2-1 1.2-1+b1 1.2-1+deb12u1"
            " 1.2-1.1 1.2-2 1.2-10 1.2+dfsg-1 1.3-1 1:1.0-1".split(),
            id="Debian",
        ),
        pytest.param("12.4~deb11u1 12.4 12.4+deb12u5 12.4+deb12u11 12.5".split(), id="native Debian"),
        pytest.param("1.1.1n-0+deb11u5 1.1.1w-0+deb11u1 1.1.1w-0+deb11u2".split(), id="Debian's OpenSSL"),
        pytest.param("9.6p1-3ubuntu13 9.6p1-3ubuntu13.5 9.6p1-4 9.7p1-1".split(), id="Ubuntu's OpenSSH"),
        pytest.param("22.04-0ubuntu0.22.04.1 22.04-0ubuntu0.22.04.2 22.04-1".split(), id="Ubuntu's own packages"),
        pytest.param("1.2-3.fc39 1.2-3.fc40 1.2-4.fc40".split(), id="Fedora"),
        pytest.param("3.9-1.el9 3.9-1.el9_2 3.9-1.el9_2.1".split(), id="Red Hat"),
        pytest.param("1.2-r0 1.2-r1 1.2-r10 1.2_p1-r0".split(), id="Alpine and Gentoo"),
        pytest.param("30.1-jre 31.0-jre 31.1-jre 32.0.0-jre 33.4.0-jre".split(), id="Guava"),
        pytest.param("5.6.0.CR1 5.6.0.Final 5.6.0.SP1".split(), id="Hibernate"),
        pytest.param("1.30.1+k3s1 1.30.1+k3s2 1.30.2+k3s1".split(), id="k3s"),
        pytest.param("1.8.0 1.8.0_05 1.8.0_11 1.8.0_101".split(), id="Java's updates"),
        pytest.param("8u382 8u392 17.0.9+8 17.0.9+9 17.0.10+7".split(), id="Java"),
        pytest.param("2.4.0-dev7 2.4.0-dev10 2.4.0-rc1 2.4.0".split(), id="counted development"),
        pytest.param("2024.1-beta2 2024.1 2024.2".split(), id="CalVer with a suffix"),
        pytest.param("R2023b R2024a R2024b".split(), id="MATLAB"),
        pytest.param(["1.0.post1.dev1", "1.0.post1"], id="development of a post release"),
        pytest.param(["5.0.0.M1", "5.0.0.RC1", "5.0.0.RELEASE"], id="Maven milestones"),
        pytest.param(["0.0.0-20200101000000-aaa", "0.0.0-20210921155107-089bfa567519", "0.0.0"], id="Go"),
    ],
)
def test_versions_order(ascending: list[str]) -> None:
    parsed = [v(text) for text in ascending]
    assert all(low < high for low, high in pairwise(parsed))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2.8", "2.8.0"),
        ("1.0a1", "1.0.0-alpha.1"),
        ("v1.0-rc1", "1.0c1"),
        ("2.9.0+cu128", "2.9+cu128"),
        ("0:1-1.1", "0:1.0-1.1"),
    ],
)
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
    ("asked", "version", "expected"),
    [
        ("8.0", "8.0.0rc1", VersionMatch.EXACT),
        ("8.0.0", "8.0.0rc1", VersionMatch.EXACT),
        ("4.0", "4.0a1", VersionMatch.EXACT),
        ("5.0", "5.0", VersionMatch.EXACT),
        ("5.0", "5.0.4", VersionMatch.SERIES),
        ("5.0", "5.0.4rc1", VersionMatch.SERIES),
        ("5", "5.0", VersionMatch.EXACT),
        ("5", "5.2.1", VersionMatch.SERIES),
        ("5", "50.1", VersionMatch.OUTSIDE),
        ("5.0.4", "5.0.4", VersionMatch.EXACT),
        ("5.0.4", "5.0.4rc1", VersionMatch.EXACT),
        ("5.0.4", "5.0.14", VersionMatch.OUTSIDE),
        ("5.0.4", "5.0", VersionMatch.OUTSIDE),
        ("5.0.0", "5.0.4", VersionMatch.OUTSIDE),
        ("2.4", "2.41", VersionMatch.OUTSIDE),
        ("8.0.0rc1", "8.0.0", VersionMatch.OUTSIDE),
        ("8.0.0rc1", "8.0.0rc1", VersionMatch.EXACT),
        ("1.1.1", "1.1.1w", VersionMatch.SERIES),
        ("20240203", "20240203-110809-5046fc22", VersionMatch.SERIES),
        ("2.9", "2.9.0+cu128", VersionMatch.SERIES),
        ("2.9.0+cu128", "2.9.0", VersionMatch.SERIES),
        ("2.12", "2.12-3", VersionMatch.SERIES),
        ("2.12", "2.12.1-3", VersionMatch.SERIES),
        ("2.12-3", "2.12", VersionMatch.SERIES),
        ("2.12-3", "2.12-2", VersionMatch.OUTSIDE),
        ("2.12-1~deb12u1", "2.12-1~deb12u2", VersionMatch.OUTSIDE),
        ("2.12-3.fc40", "2.12-3", VersionMatch.EXACT),
        ("2.12-3.fc40", "2.12-3.fc39", VersionMatch.OUTSIDE),
        ("2.12-3", "2.12-3.el9_2", VersionMatch.EXACT),
        ("2.12-3", "1:2.12-3", VersionMatch.EXACT),
        ("1:2.12-3", "2.12-3", VersionMatch.EXACT),
        ("1:2.12-3", "2:2.12-3", VersionMatch.OUTSIDE),
        ("31.1", "31.1-jre", VersionMatch.SERIES),
        ("31.1-jre", "31.1-android", VersionMatch.OUTSIDE),
    ],
)
def test_an_asked_version_takes_its_prereleases_and_its_patches(
    asked: str, version: str, expected: VersionMatch
) -> None:
    assert VersionConstraint.exactly(v(asked)).match(v(version)) is expected


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
    [
        ("In 2.9.1, and also in v2.8.", ["2.9.1", "2.8"]),
        ("from 2.8 to 2.12, 2.8->2.12, 2.8→2.12, 3.8-3.12", ["2.8", "2.12"] * 3 + ["3.8", "3.12"]),
        ("5.0's, Python 3.8+, a 2.9-compatible plug-in (2.7)", ["5.0", "3.8", "2.9", "2.7"]),
        ("pytest-8.0.0rc1.tar.gz, torch==2.9.0+cu128, vite@5.0.0", ["8.0.0rc1", "2.9.0+cu128", "5.0.0"]),
        ("py3.9, cuda12.8, CUDA 12.6/12.8, requires >=3.9", ["3.9", "12.8", "12.6", "12.8", "3.9"]),
        ("version 20240203-110809 or 20230712-072601-f4abf8fd", ["20240203-110809", "20230712-072601-f4abf8fd"]),
        ("v20240203-110809", ["20240203-110809"]),
        ("what changed in 22w07a? (22w77a, x22w07a, 22w07)", ["22w07a"]),
        ("OpenSSL 1.1.1w, 5.2 beta 1, 2.0.0-beta.11", ["1.1.1w", "5.2beta1", "2.0.0-beta.11"]),
        ("the 2.x and 5.0.x series", ["2", "5.0"]),
        ("version 5 of 14 rows, release 7, v2", ["5", "7", "2"]),
        ("V100, a V3 model, RISC-V64, H100", []),
        ("gizmo 1:2.3-4 → 1:2.3-4+deb12u1, (12.4+deb12u5)", ["1:2.3-4", "1:2.3-4+deb12u1", "12.4+deb12u5"]),
        ("glibc-2.36-9+deb12u7, foo-1.2.3-r2, v1.30.1+k3s1", ["2.36-9+deb12u7", "1.2.3-r2", "1.30.1+k3s1"]),
        ("linux 5.15.0-91.101, Java 17.0.9+9, R2024b", ["5.15.0-91.101", "17.0.9+9", "2024b"]),
        ("3.9.1-3.12, a ratio of 1:2.5, 10:30-11:00, section 3.2-1, 1.2-3 times", ["3.9.1", "3.12"]),
        ("V2.9 and v100", ["2.9", "100"]),
        ("1.1.1." + "9" * 5000 + ", 17." + "9" * 5000 + ".2024", []),
        ("on 2024-10-17, 17.10.2024 or 10/17/2024", []),
        ("127.0.0.1:80, 10.0.0.1, 8.8.8.8, 192.168.0.0/16", []),
        ("on Rails 7.0.8, is 7.0.8.1 worth it", ["7.0.8", "7.0.8.1"]),
        ("Rails version 7.0.4.1 and 120.0.6099.109", ["7.0.4.1", "120.0.6099.109"]),
        ("33.5% of 2.18gb, 1.5x, 5-26%, 0.5-2.5x, 1.5 to 2.0 times, 3.5s, 12.3 ms, 2.5 million", []),
        ("#1.2, $3.5, section 3.2, Figure 2.1, 1,234.5, timeout=2.5, -1.5, 0.05", []),
        ("PR 123 and 14 commits by 5 people, 5+a, 2b3", []),
        ("apps/v1beta2, extensions/v1beta1 and pkg/v2", []),
        ("", []),
    ],
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
