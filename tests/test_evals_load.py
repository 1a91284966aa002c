"""The load test's own parts, and the short form of it: a real server, flooded at all entrances at once."""

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evals.lab.load.judging import Fate, Step, failures, judge, judge_all, known_texts, step_row
from evals.lab.load.load import loaded_servers, open_session, topics_of
from evals.lab.load.soak import GROWTH_LIMITS, Soaked, change_document, slope_an_hour, summarise
from evals.lab.load.traffic import Entrances, Outcome, Reply, Shot, Traffic, TrafficKind, fire, fire_watched
from evals.suites import BUNDLED

TEXTS = {"widget/2.0.md": frozenset(("# Widget 2.0\n\n`spin` is deprecated.",))}
CITED = {"n": 1, "quote": "`spin` is deprecated.", "source": "widget/2.0.md", "start": 14, "end": 35}
ANSWER: dict[str, Any] = {
    "question": "Is spin deprecated?",
    "status": "answered",
    "confidence": 0.9,
    "answer": "It is. [1]",
    "citations": [CITED],
    "passages": [],
    "conflicts": [],
    "interpretation": {},
    "notes": [],
}


def answer(**changed: Any) -> Reply:
    return Reply(200, None, json.dumps(ANSWER | changed))


REPLIES: dict[str, tuple[TrafficKind, Reply, Fate]] = {
    "right": (TrafficKind.ASK, answer(), Fate.SERVED),
    "refused as promised": (TrafficKind.ASK, Reply(503, "2", ""), Fate.REFUSED),
    "refused without saying when": (TrafficKind.ASK, Reply(503, None, ""), Fate.FAILED),
    "given up": (TrafficKind.ASK, Reply(504, "2", ""), Fate.FAILED),
    "a defect": (TrafficKind.SEARCH, Reply(500, None, ""), Fate.FAILED),
    "cut off": (TrafficKind.ASK, Reply(0, None, "ServerDisconnectedError"), Fate.FAILED),
    "no JSON": (TrafficKind.ASK, Reply(200, None, "<html>"), Fate.FAILED),
    "a field missing": (TrafficKind.ASK, Reply(200, None, json.dumps({"answer": "It is."})), Fate.FAILED),
    "a quote that isn't verbatim": (
        TrafficKind.ASK,
        answer(citations=[CITED | {"quote": "`spin` is gone."}]),
        Fate.FAILED,
    ),
    "a quote of an unknown document": (TrafficKind.ASK, answer(citations=[CITED | {"source": "x.md"}]), Fate.FAILED),
    "a marker without a citation": (TrafficKind.ASK, answer(answer="It is. [1] [2]"), Fate.FAILED),
    "not found, and cites": (TrafficKind.ASK, answer(status="not_found"), Fate.FAILED),
    "a tool's failure": (TrafficKind.MCP, Reply(200, None, json.dumps({"result": {"isError": True}})), Fate.FAILED),
    "a tool's answer": (
        TrafficKind.MCP,
        Reply(200, None, json.dumps({"result": {"structuredContent": ANSWER}})),
        Fate.SERVED,
    ),
    "an answer on the page": (TrafficKind.PAGE, Reply(200, None, "<div class='rn-answer rn-partial'>"), Fate.SERVED),
    "a refusal on the page": (TrafficKind.PAGE, Reply(200, None, "8 wait. Ask again in a few seconds."), Fate.REFUSED),
    "a defect on the page": (TrafficKind.PAGE, Reply(200, None, "rn-answer rn-failure"), Fate.FAILED),
    "a page without its mark": (TrafficKind.DOCUMENT_PAGE, Reply(200, None, "<p>marked</p>"), Fate.FAILED),
}


@pytest.mark.parametrize(("kind", "reply", "fate"), REPLIES.values(), ids=REPLIES)
def test_a_reply_is_judged_by_its_contract(kind: TrafficKind, reply: Reply, fate: Fate) -> None:
    assert judge(kind, reply, seconds=0.1, texts=TEXTS)[0] is fate


def test_a_mention_that_is_acknowledged_late_has_failed() -> None:
    acknowledged = Reply(200, None, "")
    assert judge(TrafficKind.SLACK, acknowledged, seconds=2.9, texts={})[0] is Fate.SERVED
    assert judge(TrafficKind.SLACK, acknowledged, seconds=3.1, texts={})[0] is Fate.FAILED


def test_arrivals_are_those_of_the_seed_and_come_at_the_rate() -> None:
    shots = Traffic(7).step(rate=50, seconds=100)
    assert shots == Traffic(7).step(rate=50, seconds=100)
    assert 4_700 < len(shots) < 5_300
    assert [shot.due_s for shot in shots] == sorted(shot.due_s for shot in shots)
    assert {shot.kind for shot in shots} == set(TrafficKind)


def test_arrivals_wait_for_no_answer_and_count_from_when_they_were_due() -> None:
    shots = tuple(Shot(number, TrafficKind.ASK, number / 100) for number in range(20))
    waiting: list[int] = []

    async def story() -> tuple[Outcome, ...]:
        gate = asyncio.Event()

        async def send(shot: Shot) -> Reply:
            waiting.append(shot.number)
            if len(waiting) == len(shots):
                gate.set()
            # No answer before the last one has asked: whoever waits for one asks no more.
            await gate.wait()
            return Reply(200, None, "")

        return await fire(shots, send)

    began = time.perf_counter()
    outcomes = asyncio.run(story())
    assert waiting == [shot.number for shot in shots]
    ends = [outcome.shot.due_s + outcome.seconds for outcome in outcomes]
    assert max(ends) <= time.perf_counter() - began
    assert min(ends) >= shots[-1].due_s


def test_growth_is_the_slope_of_the_last_two_thirds_in_an_hour() -> None:
    minutes = [60.0 * number for number in range(31)]
    # Ten minutes of loading, then a mebibyte a minute.
    grows = [300.0 + min(number, 10) * 20 + max(0, number - 10) for number in range(31)]
    assert slope_an_hour(minutes, grows) == pytest.approx(60)
    assert slope_an_hour(minutes, [*range(11), *[10] * 20]) == pytest.approx(0)
    assert slope_an_hour([0.0, 1.0], [1.0, 9.0]) == 0


@pytest.mark.parametrize(("leaked", "seen"), [(0, False), (3, True)], ids=["none", "three MiB a minute"])
def test_a_leak_is_seen_whatever_warms_up_beside_it(leaked: int, seen: bool) -> None:
    # Caches fill for ten minutes; pages of files come and go.
    own = [250.0 + min(minute, 10) * 12 + leaked * minute for minute in range(31)]
    still = dict.fromkeys(GROWTH_LIMITS, 10.0)
    samples = [
        (60.0 * minute, still | {"resident MiB": held + 270 + minute % 2, "own MiB": held})
        for minute, held in enumerate(own)
    ]
    step = Step("soak", 3.0, 1800.0, (), (), own[-1])
    told = {name: holds for name, _, _, holds in summarise([Soaked(step, samples, 0)], ingests=27)}
    assert told["growth an hour: own MiB"] is not seen
    assert told["growth an hour: resident MiB"] is not seen


def test_a_step_is_told_by_what_was_served() -> None:
    served = Outcome(Shot(1, TrafficKind.ASK, 0.5), answer(), 0.25, 0.001)
    refused = replace(served, reply=Reply(503, "2", ""), seconds=0.01)
    step = Step("2 ×", 2.0, 1.0, judge_all((served, refused), TEXTS), (), 300.0)
    assert step_row(step) == ("2 ×", "2.0", "1.0", "250", "250", "250", "1", "0", "0", "300", "1")


@pytest.fixture(scope="module")
def index(bundled_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of its own: the bot keeps what came in it, and it is changed."""
    from shutil import copytree

    return Path(copytree(bundled_index, tmp_path_factory.mktemp("load") / "index"))


@pytest.mark.slow
def test_a_flood_at_all_entrances_is_answered_or_refused_and_then_all_is_well(index: Path) -> None:
    few = {"RELNOTES_MAX_QUESTIONS": "1", "RELNOTES_MAX_WAITING": "2"}
    texts, topics = known_texts(index), topics_of(index, BUNDLED.documents)
    traffic = Traffic(3)
    flood = tuple(replace(shot, due_s=0.0) for shot in traffic.step(rate=80, seconds=1.0))
    light = tuple(Shot(1_000 + number, kind, number / 2) for number, kind in enumerate(TrafficKind))

    async def story(address: str) -> None:
        async with open_session(address) as session:
            entrances = Entrances(session, topics)
            outcomes, probes = await fire_watched(flood, entrances)
            judged = judge_all(outcomes, texts)
            # How soon says how busy the machine is.
            assert [why for why in failures(judged) if "acknowledged after" not in why[1]] == []
            fates = {one.fate for one in judged if one.shot.kind is not TrafficKind.SLACK}
            assert fates == {Fate.SERVED, Fate.REFUSED}
            assert {status for status, _ in probes} == {200}
            for shot in light:
                (one,) = judge_all(await fire((replace(shot, due_s=0.0),), entrances.send), texts)
                assert one.fate is Fate.SERVED, (shot.kind, one.why)

    with loaded_servers(index, 1, **few) as ((server,), threads):
        asyncio.run(story(server.address))
        mentioned = {f"1700000000.{shot.number:06}" for shot in (*flood, *light) if shot.kind is TrafficKind.SLACK}
        assert threads.wait_for(mentioned, seconds=60) == set()
        assert threads.defects == 0


@pytest.mark.slow
def test_the_document_that_changes_is_ingested_and_removed(index: Path, tmp_path: Path) -> None:
    seen = []
    for turn in range(3):
        change_document(tmp_path / "changing", index, turn)
        seen.append(len([source for source in known_texts(index) if source.startswith("sprocket/")]))
    assert seen == [2, 2, 1]
