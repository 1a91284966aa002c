"""What the benchmarks compute of what they measure: passes, recall, ratios, verdicts, the page and its plots."""

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import retrieval.assistant
from corpus.errors import UsageError
from evals.lab.bench import asking
from evals.lab.bench.__main__ import DOCS, main
from evals.lab.bench.asking import ask_in_passes
from evals.lab.bench.bench_page import render_page, render_plots
from evals.lab.bench.cold import ColdRecord
from evals.lab.bench.growth import AskedRecord, OwnGrowth, PeerGrowth, untried
from evals.lab.bench.growth_plot import GrowthCurve, GrowthPanel, render_growth
from evals.lab.bench.ingest_tables import IngestRecord, IngestSection
from evals.lab.bench.peer_ingests import write_texts
from evals.lab.bench.peer_python import find_peer_python
from evals.lab.bench.peer_recall import listed_recall
from evals.lab.bench.processes import MemoryParts
from evals.lab.bench.query import STAGES, StageClock
from evals.lab.bench.questions import bench_questions
from evals.lab.bench.recall import RecallRecord, exact_recalls
from evals.lab.bench.sections import RESULTS, Circumstances, Record, Sections, SectionStore
from evals.lab.bench.serving_memory import ServingRecord
from evals.lab.bench.verdicts import growth_exponent, judge, warm_ratio
from evals.suites import CORPORA, load_suite

UNDER = Circumstances("python -m evals.lab.bench growth", "2026-11-21T03:00+00:00", 0.4, "2 cores", ("a 1",))
ASKED = AskedRecord(100, 20.0, 40.0, 1.5, MemoryParts(400.0, 390.0, 150.0), 420.0)
STAGES_MS = {"search": 12.0, "embed": 5.0, "rest": 3.0}
OWN = OwnGrowth(10_000, 42_000, 8.0, 150.0, ASKED, STAGES_MS)
LARGE = replace(OWN, passages=1_000_000, asked=replace(ASKED, p50_ms=60.0), stages_ms={**STAGES_MS, "search": 52.0})
PEER = PeerGrowth("chroma", 40_000, "", 30.0, 120.0, replace(ASKED, p50_ms=40.0), (18.0, 22.0))
INGEST = IngestSection(
    "3 documents",
    1,
    1.2,
    (
        IngestRecord("relnotes", "", 10.0, 12.0, 20.0, 400.0, 5.0, 100, 40_000, 10_000),
        IngestRecord("haystack", "same", 40.0, 50.0, 80.0, 800.0, 10.0, 100, 40_000, 10_000),
    ),
)
COLD = ColdRecord(40_000, (1.3, 1.0), (8.0, 9.0), (0.2, 0.3), 0.9, 7.0, 200.0, 900.0)
SERVING = ServingRecord(1_000_000, 4_200_000, 200, MemoryParts(2000.0, 1990.0, 500.0), 6000.0)
RECALL = RecallRecord(4_200_000, 200, 0.991, 0.97, 0.0099)
EVERYTHING: dict[str, Record] = {
    "growth-10000": OWN,
    "growth-1000000": LARGE,
    "growth-40000-chroma": PEER,
    "growth-1000000-llamaindex": replace(
        PEER, system="llamaindex", passages=1_000_000, asked=None, failure="it needed more than 15 minutes"
    ),
    "ingest": INGEST,
    "cold-40000": COLD,
    "memory-1000000": SERVING,
    "recall-1000000": RECALL,
}


def kept(folder: Path, records: dict[str, Record]) -> Sections:
    store = SectionStore(folder)
    for name, record in records.items():
        store.put(name, UNDER, record)
    return store.load()


@pytest.mark.parametrize("name", [name for _, name in STAGES])
def test_every_timed_stage_is_a_step_of_the_assistant(name: str) -> None:
    original = getattr(retrieval.assistant, name)
    with StageClock().on_the_way():
        assert getattr(retrieval.assistant, name) is not original
    assert getattr(retrieval.assistant, name) is original


class Clock:
    """Tells the times it was given, one after the other."""

    def __init__(self, times: Sequence[float]) -> None:
        self._times = iter(times)

    def perf_counter(self) -> float:
        return next(self._times)


def test_each_question_counts_with_its_fastest_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    # The first time is when it began; then two questions of 3 s and 1 s; the look at the clock; 2 s and 4 s.
    monkeypatch.setattr(asking, "time", Clock([0, 0, 3, 3, 4, 4, 4, 6, 6, 10]))
    assert ask_in_passes(str, ["a", "b"], passes=2, seconds=100) == (2000.0, 1000.0)


def test_a_slow_system_is_asked_five_questions_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "time", Clock(range(0, 1000, 10)))
    asked: list[str] = []
    times = ask_in_passes(asked.append, [str(number) for number in range(50)], passes=3, seconds=20)
    assert len(times) == len(asked) == 5


def test_recall_counts_rows_as_near_as_the_tenth_best() -> None:
    # Twenty rows; row 15 is row 0 once more. The first question's ten best are 0 … 8 and 15 for all but one of them.
    angles = np.append(np.arange(15), [0, 50, 51, 52, 53]) / 60
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    vectors = np.array([[1, 0]], np.float32)
    every = np.ones(20, np.bool_)
    found = np.array([[0, 15, 1, 2, 3, 4, 5, 6, 7, 17]])
    few = np.isin(np.arange(20), [16, 17, 18])
    found_few = np.array([[16, 17, *[-1] * 8]])
    recalls = exact_recalls([rows[:7], rows[7:]], vectors, [found, found_few], [every, few])
    assert recalls == pytest.approx((0.9, 2 / 3))


def test_sections_come_back_as_kept_in_the_order_of_size(tmp_path: Path) -> None:
    sections = kept(tmp_path, EVERYTHING)
    assert [one.record for one in sections.own] == [OWN, LARGE]
    assert [one.record.system for one in sections.peers] == ["chroma", "llamaindex"]
    assert sections.ingest is not None
    assert sections.ingest.record == INGEST
    assert sections.ingest.under == UNDER
    others = (sections.cold, sections.serving, sections.recall)
    assert [one.record for found in others for one in found] == [COLD, SERVING, RECALL]


def test_a_section_measured_again_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    kept(tmp_path, {"growth-10000": OWN})
    again = replace(OWN, disk_mib=1.0)
    assert [one.record for one in kept(tmp_path, {"growth-10000": again}).own] == [again]


def test_a_section_in_another_form_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "cold-1000.json").write_text('{"under": {}, "record": {"seconds": 1}}', "utf-8")
    (tmp_path / "ingest.json").write_text("not JSON", "utf-8")
    sections = kept(tmp_path, {"cold-40000": COLD})
    assert sections.ingest is None
    assert [one.record for one in sections.cold] == [COLD]


def test_a_ratio_is_to_the_mean_of_the_runs_beside_the_peer() -> None:
    assert PEER.ratio == 0.5


def test_what_a_peer_lists_is_held_against_exact_products_by_its_texts(tmp_path: Path) -> None:
    vectors = np.eye(12, 16, dtype=np.float32)
    vectors[:, 15] = np.linspace(0.1, 1.2, 12)
    asked = np.zeros((2, 16), np.float32)
    asked[:, 15] = 1
    texts = [f"passage {number}" for number in range(11)] + ["passage 3"]
    write_texts(tmp_path / "texts", texts)
    nearest = [texts[row] for row in range(11, 1, -1)]
    # The text that two passages have is told once, and counts as the nearer of them.
    all_but_one = [*dict.fromkeys(nearest)]
    recall = listed_recall([all_but_one, texts[:2]], asked, texts=tmp_path / "texts", vectors=vectors)
    assert recall == pytest.approx((0.9 + 0.0) / 2)


def test_a_peer_that_cannot_hold_as_many_counts_as_slower_than_all_that_can() -> None:
    twice, thrice = (replace(PEER, own_p50_ms=(times * 40.0,)) for times in (2, 3))
    absent = untried("haystack", 40_000)
    assert warm_ratio([PEER, twice, thrice]) == 2.0
    assert warm_ratio([twice, thrice, absent]) == 2.0
    assert warm_ratio([PEER, twice]) == 1.25, "in the mean of half of one's time and twice the other's"
    assert warm_ratio([PEER, twice, absent, absent]) == 0.5, "the one of the two in the middle that could be asked"
    assert warm_ratio([untried("haystack", 40_000)]) == 0.0
    assert warm_ratio([]) is None


@pytest.mark.parametrize(("p50_ms", "exponent"), [(20.0, 0.0), (200.0, 0.5), (2000.0, 1.0)])
def test_growth_is_told_as_a_power_of_the_passages(p50_ms: float, exponent: float) -> None:
    last = replace(LARGE, asked=replace(ASKED, p50_ms=p50_ms))
    assert growth_exponent(OWN, last) == pytest.approx(exponent)


def test_verdicts_say_what_was_measured_and_whether_it_holds(tmp_path: Path) -> None:
    told = {one.measure: (one.measured, one.holds) for one in judge(kept(tmp_path, EVERYTHING))}
    assert told == {
        "`relnotes ask` from cold, the whole process": ("0.12, 1.00 s beside 8.00 s, over 40,000 passages", True),
        "passages a second of an ingest": ("4.00 times haystack's", True),
        "p50 of a warm question over 40,000 passages, everything on": ("0.50 (chroma 0.50)", True),
        "p50 of a warm question over 1,000,000 passages, everything on": (
            "0.00; llamaindex couldn't hold so many",
            True,
        ),
        "growth of a warm question's p50": ("0.24: 3.0 times from 10,000 to 1,000,000 passages", True),
        "recall@10 of the search of items": ("0.9910, and 0.9700 with 1.0 % of 4,200,000 items", False),
        "resident memory of a server": ("0.33: 2,000 of 6,000 MiB, 1,000,000 passages", True),
    }


def test_a_peer_s_recall_is_told_beside_its_time(tmp_path: Path) -> None:
    verdicts = judge(kept(tmp_path, {"growth-40000-chroma": replace(PEER, recall=0.72)}))
    assert "0.50 (chroma 0.50 at a recall of 0.72)" in {one.measured for one in verdicts}


def test_peers_that_are_faster_are_named(tmp_path: Path) -> None:
    slower = replace(PEER, own_p50_ms=(80.0,))
    records = {"growth-40000-chroma": slower, "growth-40000-txtai": replace(PEER, system="txtai")}
    verdicts = judge(kept(tmp_path, records))
    told = [one for one in verdicts if "over 40,000 passages, everything on" in one.measure]
    assert [(one.measured, one.holds) for one in told] == [("1.25 (chroma 2.00, txtai 0.50); faster: chroma", False)]


def test_peers_that_were_asked_on_several_machines_are_said_to_be(tmp_path: Path) -> None:
    kept(tmp_path, {"growth-40000-chroma": PEER})
    store = SectionStore(tmp_path)
    store.put("growth-40000-txtai", replace(UNDER, machine="4 cores"), replace(PEER, system="txtai"))
    told = {one.measured for one in judge(store.load())}
    assert (
        "0.50 (chroma 0.50, txtai 0.50); measured on more than one machine, each peer beside the relnotes of its day"
        in told
    )


def test_nothing_is_said_to_hold_of_fewer_passages_than_promised(tmp_path: Path) -> None:
    fewer = {
        "growth-1000": replace(OWN, passages=1_000),
        "growth-10000": OWN,
        "growth-40000": replace(OWN, passages=40_000),
        "cold-10000": replace(COLD, passages=10_000),
        "memory-40000": replace(SERVING, passages=40_000),
        "recall-40000": replace(RECALL, items=160_000),
    }
    verdicts = judge(kept(tmp_path, fewer))
    assert {one.holds for one in verdicts} == {None}
    assert sum(one.measured != "not measured" for one in verdicts) == 4


def test_without_anything_measured_nothing_is_said_to_hold() -> None:
    assert {(one.measured, one.holds) for one in judge(Sections())} == {("not measured", None)}
    assert "## " not in render_page(Sections())
    assert render_plots(Sections()) == {}


def test_the_page_tells_commands_figures_failures_and_the_next_bottleneck(tmp_path: Path) -> None:
    page = render_page(kept(tmp_path, EVERYTHING))
    assert "`python -m evals.lab.bench growth`, 2026-11-21, on 2 cores, load 0.4." in page
    assert "| 10,000 | 42,000 | 20.0 | 40.0 | 1.5 | 400 | 150 | 150 | 8 |" in page
    assert "| chroma | 40.0 | 40.0 | 0.50 | 100 | 1.5 | 400 | 150 | 120 | 30 |" in page
    assert "- llamaindex isn't among them: it needed more than 15 minutes." in page
    assert "the next bottleneck is **search**: 52.0 of 60.0 ms in the mean, 87 %." in page
    assert "**search** grew most, by 40.0 ms" in page
    assert "| 1,000,000 | 2,000 | 500 | 1,500 | 1,990 | 6,000 |" in page
    assert "| 4,200,000 | 0.9910 | 0.9700 | 0.99 % |" in page
    assert "| 40,000 | 1.00 | 8.00 | 0.12 | 0.20 | 0.90 | 7.00 | 200 | 900 |" in page


def test_as_many_of_the_questions_name_their_product_as_the_page_says(tmp_path: Path) -> None:
    asked = [one for one in load_suite(CORPORA) if one.question in bench_questions()]
    names = [{"cpython": "python"}.get(one.project, one.project) for one in asked]
    named = sum(bool(re.search(rf"\b{n}\b", q.question, re.IGNORECASE)) for n, q in zip(names, asked, strict=True))
    assert f"Of the {len(asked)} questions {named} name their product." in render_page(kept(tmp_path, EVERYTHING))


def test_every_plot_that_the_page_shows_is_written(tmp_path: Path) -> None:
    sections = kept(tmp_path, EVERYTHING)
    plots = render_plots(sections)
    page = render_page(sections)
    assert [name for name in plots if f"({name})" not in page] == []
    for plot in plots.values():
        assert ElementTree.fromstring(plot).tag.endswith("svg")
    assert ">linear<" in plots["benchmarks-warm.svg"]


def test_ten_times_the_passages_and_ten_times_the_value_are_a_diagonal_of_a_plot() -> None:
    curve = GrowthCurve("a & b", ((1_000, 1.0), (10_000, 10.0)))
    plot = render_growth([GrowthPanel("ms", (curve,))])
    assert '<polyline points="62.0,254.0 362.0,34.0"' in plot
    assert "a &amp; b" in plot
    assert render_growth([GrowthPanel("ms", (curve,))]) == plot


def test_a_plot_without_points_is_drawn_empty() -> None:
    assert ElementTree.fromstring(render_growth([GrowthPanel("ms", (GrowthCurve("a", ()),))])) is not None


def test_a_python_without_the_peers_is_told_with_the_next_step() -> None:
    with pytest.raises(UsageError, match=r"relnotes\[peers\]"):
        find_peer_python("no-such-python")


def test_the_page_alone_is_put_together_from_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path / "results", EVERYTHING)
    program = sys.modules["evals.lab.bench.__main__"]
    monkeypatch.setattr(program, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(program, "DOCS", tmp_path)
    assert main(["page"]) == 0
    assert "| 1,000,000 | 2,000 |" in (tmp_path / "benchmarks.md").read_text("utf-8")
    assert (tmp_path / "benchmarks-warm.svg").is_file()


def test_the_committed_page_is_that_of_the_committed_sections() -> None:
    sections = SectionStore(RESULTS).load()
    assert (DOCS / "benchmarks.md").read_text("utf-8") == render_page(sections)
    assert {name: (DOCS / name).read_text("utf-8") for name in render_plots(sections)} == render_plots(sections)
