"""Blocks to releases: changelogs of every convention, and what looks like a release without being one."""

import pytest
from case_files import Case, read_cases, read_rows
from hypothesis import given
from hypothesis import strategies as st
from ingest_documents import ingest_text
from property_examples import examples

from ingest.releases.identity import Hints


@pytest.mark.parametrize("case", read_cases("releases"), ids=lambda case: case.name)
def test_conventions(case: Case) -> None:
    assert ingest_text(case.text, name=case.subject).told == case.gives


@pytest.mark.parametrize(("heading", "pending"), read_rows("ingest-a-heading-tells-that-a-release-is-pending"))
def test_a_heading_tells_that_a_release_is_pending(heading: str, pending: bool) -> None:
    document = ingest_text(f"# Kettle changelog\n\n## {heading}\n\n- Added a lid.\n\n## 1.1.0\n\n- Fixed a lid.\n")
    told = [one.pending for one in document.releases if one.label]
    alone = ingest_text(f"# {heading}\n\n- Added a lid.\n", name="kettle-1.2.0.md").releases
    assert [one.pending for one in alone] == [pending]
    assert told == [pending, False]


@pytest.mark.parametrize(("notice", "yanked"), read_rows("ingest-a-notice-below-its-heading-tells-that-a-release-was"))
def test_a_notice_below_its_heading_tells_that_a_release_was_yanked(notice: str, yanked: bool) -> None:
    document = ingest_text(f"## 1.1.0\n\n{notice}\n\n- a\n\n## 1.0.0\n\n- b\n")
    assert [release.yanked for release in document.releases] == [yanked, False]


def test_patch_releases_told_at_the_end_of_a_page_have_their_own_notes() -> None:
    notes = "- The lid opens with one hand.\n" * 20
    document = ingest_text(
        f"# What's New In Kettle 2.4\n\n## Lid\n\n{notes}\n## Porting to Kettle 2.4\n\n- a\n\n"
        "## Notable changes in Kettle 2.4.1\n\n- b\n\n## Notable changes in Kettle 2.4.10\n\n### Spout\n\n- c\n",
        hints=Hints(product="Kettle"),
    )
    assert document.labels == ["2.4", "2.4.1", "2.4.10"]
    assert document.identity.title == "What's New In Kettle 2.4"
    assert str(document.identity.version) == "2.4"


@pytest.mark.parametrize(
    "inner",
    [
        "```\n## 1.1.0\n```", "### Drop Python 3.8", "### Fixes since v2.35", "### Python 3.14 support", "### 3.9",
        "### Upgrading from 1.x to 2.0", "### HTTP/2 Server Push", "### Top 10 features",
        "### Python 3.9\n\n### Python 3.10",
        "### Upcoming changes", "### 0.115", "### What's new in Foo 0.115.0", "    ## 1.1.0", "<!-- ## 1.1.0 -->",
    ],
)  # fmt: skip
def test_a_topic_inside_a_release_opens_none(inner: str) -> None:
    document = ingest_text(
        f"# Changelog\n\n## 0.115.0\n\n{inner}\n\n- a\n\n## 0.114.0\n\n- b\n", hints=Hints(product="Foo")
    )
    assert document.labels == ["", "0.115.0", "0.114.0"]


LINES = st.sampled_from(
    ["# 1.0", "## 2.0 (2024-01-02)", "### 3.9", "# Foo", "## Unreleased", "## Fixes", "```", "## bar@1.2.3", "text 1.0",
     "- item", "", "## Bar 1.5", "Released: 2024-01-02", "3.0\n---", "<!-- # 9.0 -->", "---", "#### 2.0-rc.1",
     "### Thanks", "* 1.5 (2024-01-02)\n\n  prose\n\n  - nested", "## 1.1 and 1.0.9 (2024-01-02)", "## 1.0.0.1"]
)  # fmt: skip


@examples(40)
@given(st.lists(LINES, max_size=25).filter(any), st.sampled_from(["CHANGELOG.md", "CHANGES", "notes.rst", "log.adoc"]))
def test_releases_cover_the_text_in_order_and_disjoint(lines: list[str], name: str) -> None:
    document = ingest_text("\n".join(lines), name=name)
    ends = [0, *(release.span.end for release in document.releases)]
    assert [release.span.start for release in document.releases] == ends[:-1]
    assert ends[-1] == len(document.parsed.text)
