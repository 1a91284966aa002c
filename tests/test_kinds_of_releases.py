"""What counts as a release, and when it came out, by the kinds of headings and files that tell it; and what is answered
from them."""

import re
from pathlib import Path

import pytest
from cli_calls import run
from test_kinds_of_sources import folder as folder  # a fixture
from test_kinds_of_sources import write

from corpus.embedding import Embedder
from retrieval.assistant import Assistant

NEWS = "Wick\n\nWith version 1.4, out since 3 May 2024, wax melts.\n  * The 'ash' queue is gone.\n\n"
PLAIN = NEWS + "In Wick 1.3 we fixed the following (needs libsoot 2.2):\n  * Smoke.\n"
ANSIBLE = (
    "releases:\n  2.10.0:\n    changes: {{{}}}\n    release_date: '2024-09-02'\n  2.9.0:\n    changes: {{fixes: [b]}}\n"
)
SPEC = "{}\nVersion: 2.1\nRelease: 3\n%changelog\n* Tue Feb 04 2025 Ana <ana@example.org> - 2.1-3\n- Drop x\n"
DAYS = "# Leek\n\n## {}\n- a\n\n## {}\n- b\n"
RST = ".. |v| replace:: 3.0\n.. |old| replace:: ``a.depth``\n\nWick |v|\n========\n\n* |old| was removed.\n"


@pytest.mark.parametrize(
    ("name", "text", "releases"),
    [
        ("news.txt", PLAIN, "1.4 2024-05-03, 1.3"),
        ("a.md", "# Wick\n\nToday we publish Wick 3.2.\n\n- a\n\nWick 3.1.1 (4 May 2025) mends it.\n\n- b\n",
         "3.2, 3.1.1 2025-05-04"),
        ("a.rst", "News\n====\n\nWick 1.9 is a bugfix release. x.\n\nWick 1.8 of 3 March 2024 brought ``y``.\n",
         "1.9, 1.8 2024-03-03"),
        ("ports.md", "# Wick 2.0\n\n## Darwin\n\na\n\n## Windows\n\nb\n\n## 386\n\nc\n", "2.0"),
        ("b.md", "# Wick\n\n## 43\n\n- a\n\n## 42\n\n- b\n", "43, 42"),
        ("b.md", "# Wick\n\n## 42\n\n- a\n\n## Thanks\n\n- b\n", "42"),
        ("prose.txt",
         "Wick\n\nWick 2.0 runs on Python 3.8.\n\nWith 1.9, read on.\n\nMIT.\n\nAsk.\n\nGo.\n\nThe forum.\n", "2.0"),
        ("CHANGES",
         "Notes\nVersion: 0.8.2\nDate: 2024-11-30\n - a\n\nVersion: 0.8.1\nDate: 2024-10-02\n - needs 1.2.0\n",
         "0.8.2 2024-11-30, 0.8.1 2024-10-02"),
        ("h.txt", "Version: 2.1\nReleased: 3 May 2024\n* One\nVersion: 2.0\nReleased: 3 March 2024\n* Two\n",
         "2.1 2024-05-03, 2.0 2024-03-03"),
        ("h.md", "## Spring (v8.2.0, formerly 8.2.0-rc4)\n- a\n\n## Old logo (no version)\n- b\n\n"
         "## Winter [8.1; was called 8.0.9]\n- c\n", "8.2.0, 8.1"),
        ("h.txt", "Moonlight Release (version 2.1)\n  - a\n\nSunlight Release (version 2.0)\n  - b\n", "2.1, 2.0"),
        ("WHATSNEW", "Wick 3.6zb (12 Dec 2024)\n - a\n\nWick 3.6z (3 Nov 2024)\n - b\n\nWick 3.6b (1 Jan 2024)\n - c\n",
         "3.6zb 2024-12-12, 3.6z 2024-11-03, 3.6b 2024-01-01"),
        ("c.md", "<details>\n<summary>v1.1 (1 June 2024)</summary>\n\n- a\n\n</details>\n"
         "<details><summary><b>1.0</b></summary>\n\n- b\n\n</details>\n", "1.1 2024-06-01, 1.0"),
        ("c.md", DAYS.format("3 December 2024", "Nov 28"), "2024-12-03 2024-12-03, 2024-11-28 2024-11-28"),
        ("c.md", DAYS.format("January 2, 2025", "Friday, 20th December"),
         "2025-01-02 2025-01-02, 2024-12-20 2024-12-20"),
        ("c.md", DAYS.format("4.1 vom 17. Oktober 2024", "4.0 (2. März 2024)"), "4.1 2024-10-17, 4.0 2024-03-02"),
        ("c.md", DAYS.format("3.2 (1er août 2025)", "3.1 - 12 de mayo de 2024"), "3.2 2025-08-01, 3.1 2024-05-12"),
        ("c.md", DAYS.format("3.2 (2024年3月5日)", "3.1 — maart 2023"), "3.2 2024-03-05, 3.1 2023-03"),
        ("c.md", DAYS.format("2.9 — coming in spring 2026", "2.8 (in development, not on the index)"),
         "2.9 pending, 2.8 pending"),
        ("c.md", DAYS.format("2.9 (expected around May 2027)", "2.8 - the coming of age (2024-04-04)"),
         "2.9 pending, 2.8 2024-04-04"),
        ("c.rst", "1.4 (2024-07-09)\n================\n\n.. warning::\n   This release was pulled from PyPI.\n\n* a\n"
         "\n1.3\n===\n\n* Yanked ``b``.\n", "1.4 2024-07-09 yanked, 1.3"),
        ("c.md", DAYS.format("2.1 (2025-02-02, recalled)", "2.0\nPulled in many requests."),
         "2.1 2025-02-02 yanked, 2.0"),
        ("changelog.yaml", ANSIBLE.format("removed_features: [x is gone]"), "2.10.0 2024-09-02, 2.9.0"),
        ("RELEASE_NOTES.txt", "Release Notes - O - Version 3.5.0\n\n** Bug\n    * a\n\n** Wish\n    * b\n\n"
         "Release Notes - O - Version 3.4.1\n\n** Bug\n    * c\n\n** Task\n    * d\n", "3.5.0, 3.4.1"),
        ("x.rst", RST, "3.0"),
    ],
)  # fmt: skip
def test_releases_are_found(name: str, text: str, releases: str, folder: Path, default_embedder: Embedder) -> None:
    write(folder, name, text)
    run("ingest", name, "--product", "Wick")
    with Assistant.open(folder.parent / "index", embedder=default_embedder) as assistant:
        (product,) = assistant.catalogue()
        told = (
            [one.version, one.date and one.date.isoformat(), one.yanked and "yanked", one.pending and "pending"]
            for one in product.releases
        )
        assert ", ".join(" ".join(str(word) for word in words if word) for words in told) == releases


@pytest.mark.parametrize(
    ("name", "text", "question", "told"),
    [
        ("CHANGES.md", "# Wick\n\n## 2.12 — Nov. 2024\n- a\n\n## 2.10 — Feb. 2024\n- b\n",
         "Which release came out in February 2024?", "Wick 2.10"),
        ("CHANGES.md", "# Wick\n\n## 22.0 (Current) - 2024-11-26\n- a\n\n## 20.9 'Ivy' (LTS) - 2024-11-12\n- b\n",
         "What is the latest LTS release of Wick?", "The newest LTS release of Wick in the notes: Wick 20.9"),
        ("CHANGES.md", "# Wick\n\n## 7.2 (released 2024-09-12, end of life 2026-09-12)\n- a\n\n## 7.1\n- b\n",
         "When does Wick 7.2 reach its end of life?", "end of life 2026-09-12"),
        ("CHANGES.md", "# Wick\n\n## 4.1\n\n### Entfernt\n- Die Option `wehr_hoehe` entfällt.\n\n## 4.0\n\n"
         "### Veraltet\n- `wehr_hoehe` gilt als veraltet.\n", "Which release removed wehr_hoehe?",
         "Removed in Wick 4.1"),
        ("x.rst", RST, "Which version removed a.depth?", "Wick 3.0: a.depth was removed."),
        ("x.adoc", "= Notes\n:opt: spindle.oil\n\n== Wick 6.4\n\n* The `{opt}` property is mandatory.\n\n== Wick 6.3\n"
         "\n* x\n", "In which version did spindle.oil become mandatory?",
         "Wick 6.4: The spindle.oil property is mandatory."),
        ("changelog.yaml", ANSIBLE.format("removed_features: ['tin - gone, use ``can``.']"),
         "Which release removed tin?", "Removed in Wick 2.10.0"),
        ("drop-v2-1a2b3c4d5e6f7a8b.yaml",
         "upgrade:\n  - |\n    The ``gull`` driver has been removed.\nissues:\n  - Kelp is broken.\n",
         "Was the gull driver removed?", "Wick: The gull driver has been removed."),
    ],
)  # fmt: skip
def test_what_they_tell_is_answered(
    name: str, text: str, question: str, told: str, folder: Path, default_embedder: Embedder
) -> None:
    write(folder, name, text)
    run("ingest", name, "--product", "Wick")
    with Assistant.open(folder.parent / "index", embedder=default_embedder) as assistant:
        assert told in re.sub(r"[`*]", "", assistant.ask(question).answer)


@pytest.mark.parametrize(
    ("lines", "product"),
    [("%global tool stilt\nName: %{tool}-tools", "stilt-tools"), ("%define name plover\nName: %{name}", "plover"),
     ("Name: %{?scl_prefix}tern", "tern")],
)  # fmt: skip
def test_a_spec_says_its_products_name(lines: str, product: str, folder: Path, default_embedder: Embedder) -> None:
    write(folder, "SPECS/a.spec", SPEC.format(lines))
    run("ingest", ".")
    with Assistant.open(folder.parent / "index", embedder=default_embedder) as assistant:
        assert [(one.name, str(one.releases[0].version)) for one in assistant.catalogue()] == [(product, "2.1-3")]


@pytest.mark.parametrize(
    "text", ["a: &a [x]\nb: *a\n", "- " * 40 + "x", "services: {web: {image: nginx}}\n", "[" * 9000]
)
def test_other_yaml_is_refused_in_a_line(text: str, folder: Path) -> None:
    write(folder, "changelog.yaml", text)
    report = run("ingest", "changelog.yaml", "--product", "Wick")
    assert report.exit_code == 1
    assert "failed  changelog.yaml: " in report.output
    assert "report it" not in report.output
