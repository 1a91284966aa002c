"""From a heading to a question and back: every way of writing versions that a changelog has can be asked for."""

import pytest
from asked_catalogue import product
from ingest_documents import ingest_text

from corpus.versions import Version, VersionMatch
from retrieval.question.query import parse_query

HEADING = "## {}\n\n- Entry.\n\n"
DEBIAN = "gizmo ({}) unstable; urgency=medium\n\n  * Entry.\n\n -- Ann <a@b.org>  Tue, 09 Jan 2024 10:45:52 +0000\n\n"

SCHEMES = {
    "Debian": (DEBIAN, "1:2.4-1+deb12u1 1:2.4-1 1:2.4-1~bpo11+1 1:2.4~rc1-1 1:2.3+dfsg-4 1:2.3-3.1 1:2.3-3 2008.1-2"),
    "Debian's stable updates": (DEBIAN, "3.0.13-1~deb12u1 3.0.11-1~deb12u2 3.0.11-1~deb12u1 3.0.9-1"),
    "a revision that looks like a range": (DEBIAN, "0.5-1.1 0.5-1 0.4-2"),
    "one number and a revision": (DEBIAN, "254.1-2 254-1 247-3 247-2"),
    "native Debian": (DEBIAN, "12.4+deb12u11 12.4+deb12u2 12.4 12.3~deb11u1"),
    "Ubuntu": (DEBIAN, "6.2.0-39.40 6.2.0-39.40~22.04.1 1.22-0ubuntu0.22.04.1 1.22-0ubuntu0.20.04.1 1.2-3ubuntu13"),
    "OpenSSH": (DEBIAN, "1:9.6p1-4ubuntu0.1 1:9.6p1-4 1:9.5p1-1"),
    "OpenSSL": (HEADING, "1.1.1w 1.1.1v 1.1.1"),
    "Maven's variants": (HEADING, "33.4.0-jre 33.4.0-android 31.1-jre 31.1-android 31.0.1-jre"),
    "Maven's stages": (HEADING, "5.6.1.Final 5.6.0.Final 5.6.0.CR1 5.6.0-M2 5.6.0-M1"),
    "two numbers and a stage": (HEADING, "4.4-rc1 4.4-dev7 4.4-dev6 4.3-stable"),
    "three numbers and a stage": (HEADING, "2.4.0 2.4.0-rc.1 2.4.0-dev7 2.3.0-canary.12"),
    "post releases": (HEADING, "1.2.3.post2 1.2.3.post1 1.2.3"),
    "Alpine": (HEADING, "1.2.3-r10 1.2.3-r2 1.2.3-r1"),
    "Arch": (HEADING, "1:2.3-2 1:2.3-1 1:2.2-1"),
    "k3s": (HEADING, "v1.30.1+k3s2 v1.30.1+k3s1 v1.29.5+k3s1"),
    "Java": (HEADING, "17.0.9+9 17.0.9+8 17.0.8+7"),
    "Java 8": (HEADING, "8u392 8u382 8u372"),
    "Go": (HEADING, "v0.0.0-20230101120000-abcdef123456 v0.0.0-20220101120000-0123456789ab"),
    "MATLAB": (HEADING, "R2024b R2024a R2023b"),
    "CalVer with a suffix": (HEADING, "2024.2 2024.1 2024.1-beta2"),
}


@pytest.mark.parametrize(("form", "versions"), SCHEMES.values(), ids=SCHEMES.keys())
def test_a_version_as_its_notes_write_it_means_that_release_alone(form: str, versions: str) -> None:
    written = versions.split()
    document = ingest_text("".join(map(form.format, written)), name="changelog" if form is DEBIAN else "CHANGELOG.md")
    read = [release.version for release in document.releases if release.version]
    assert read == [Version.try_parse_package(one) for one in written]
    assert read == sorted(read, reverse=True)
    catalogue = (product("Gizmo", (), " ".join(version.label for version in read)),)
    for one in written:
        asked = parse_query(f"What changed in Gizmo {one}?", catalogue=catalogue).constraint
        exact = [version for version in read if asked and asked.match(version) is VersionMatch.EXACT]
        # A final release stands for the candidates that led to it.
        assert [version for version in exact if version.base != exact[0] or version == exact[0]] == exact[:1]
        assert exact[0] == Version.try_parse_package(one)
