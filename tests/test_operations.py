"""What docs/operations holds for those who run a server fits the server: metrics, units, the container's file."""

import json
import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner

from ui.cli.app import app as commands
from ui.http.api import create_app
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.settings import Settings

REPOSITORY = Path(__file__).parents[1]
FOLDER = REPOSITORY / "docs" / "operations"
UNITS = ("relnotes.service", "relnotes-sync.service", "relnotes-sync.timer")
SERVICES = UNITS[:2]
Series = dict[str, list[dict[str, str]]]


@pytest.fixture(scope="module")
def exposed(live: LiveAssistant) -> Series:
    """The series of a server with all that can be watched, by name, with their labels."""
    app = create_app(live, QuestionDesk(max_questions=1, timeout_s=60))
    client = TestClient(app, base_url="http://localhost:7860")
    client.get("/readyz")
    assert client.post("/v1/ask", json={"question": "Is widget.spin deprecated?"}).status_code == 200
    series: Series = {}
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            series.setdefault(sample.name, []).append(sample.labels)
    return series


def expressions() -> dict[str, str]:
    """Every question that an alert or a panel puts to Prometheus."""
    rules = yaml.safe_load((FOLDER / "alerts.yaml").read_text("utf-8"))["groups"][0]["rules"]
    board = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))
    found = {rule["alert"]: rule["expr"] for rule in rules}
    for panel in board["panels"]:
        found |= {f"{panel['title']} {target['refId']}": target["expr"] for target in panel["targets"]}
    return found | {
        variable["name"]: variable["query"] for variable in board["templating"]["list"] if variable["type"] == "query"
    }


_SERIES = re.compile(r"\b(relnotes_\w+)(?:\{([^}]*)\})?")
_MATCHER = re.compile(r'(\w+)(=~|=)"([^"]*)"')


@pytest.mark.parametrize("name", expressions())
def test_what_is_asked_of_prometheus_is_told_by_the_server(exposed: Series, name: str) -> None:
    asked = _SERIES.findall(expressions()[name])
    assert asked or expressions()[name].startswith("up{")
    for series, matchers in asked:
        assert series in exposed, series
        for label, kind, value in _MATCHER.findall(matchers):
            if label in ("instance", "job"):
                continue
            printed = {labels[label] for labels in exposed[series]}
            # Statuses come as requests do; the others are all there from the beginning.
            assert value in printed or label == "status" or kind == "=~", (series, label, value)
    for labels in re.findall(r"\bby \(([^)]*)\)", expressions()[name]):
        wanted = {label.strip() for label in labels.split(",")}
        assert all(wanted <= exposed[series][0].keys() for series, _ in asked)


def directives(unit: str) -> list[tuple[str, str]]:
    lines = (FOLDER / unit).read_text("utf-8").splitlines()
    return [
        (name, value) for line in lines if not line.startswith("#") for name, sep, value in [line.partition("=")] if sep
    ]


@pytest.mark.parametrize("unit", SERVICES)
def test_a_unit_runs_a_command_that_there_is_with_settings_that_are_read(unit: str) -> None:
    (program, *words), *_ = [shlex.split(value) for name, value in directives(unit) if name == "ExecStart"]
    assert program == "/opt/relnotes/bin/relnotes"
    assert_is_command(words)
    stated = " ".join(value for name, value in directives(unit) if name == "Environment")
    assert_are_settings(re.findall(r"(\w+)=", stated))


def assert_is_command(words: list[str]) -> None:
    asked = CliRunner().invoke(commands, [*words, "--help"])
    assert asked.exit_code == 0, words
    shown = asked.output
    assert all(word in shown for word in words if word.startswith("--"))


def assert_are_settings(names: list[str]) -> None:
    known = {f"RELNOTES_{field.name.upper()}" for field in fields(Settings)}
    assert all(name in known for name in names if name.startswith("RELNOTES_")), names


def instructions() -> list[tuple[str, str]]:
    """The container's file, one instruction after the other."""
    text = (FOLDER / "Containerfile").read_text("utf-8")
    whole = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [(word, rest) for line in whole.splitlines() if line.strip() for word, _, rest in [line.partition(" ")]]


def test_the_container_copies_what_there_is_and_installs_by_hash() -> None:
    copied = [rest.split() for word, rest in instructions() if word == "COPY" and "--from" not in rest]
    assert all((REPOSITORY / source).exists() for words in copied for source in words[:-1])
    runs = " && ".join(rest for word, rest in instructions() if word == "RUN")
    installs = [command for command in runs.split("&&") if "pip install" in command]
    assert len(installs) == 3
    assert all("--require-hashes" in install or "--no-deps --no-index" in install for install in installs)
    assert not re.search(r"\b(curl|wget|apt-get)\b", runs)


def test_compose_runs_the_container_on_loopback_with_a_token_that_must_be_given() -> None:
    place = FOLDER / "compose.yaml"
    (service,) = yaml.safe_load(place.read_text("utf-8"))["services"].values()
    build = service["build"]
    assert (place.parent / build["context"] / build["dockerfile"]).resolve() == (FOLDER / "Containerfile").resolve()
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert_are_settings(list(service["environment"]))
    assert service["environment"]["RELNOTES_TOKEN"].startswith("${RELNOTES_TOKEN:?")
    (volume,) = json.loads(dict(instructions())["VOLUME"])
    assert service["volumes"] == [f"data:{volume}"]


def test_the_container_runs_as_nobody_and_is_looked_after() -> None:
    words = [word for word, _ in instructions()]
    last = instructions()[len(words) - 1 - words[::-1].index("FROM") :]
    stated = dict(last)
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", stated["USER"])
    assert [word for word, _ in last].index("USER") > [word for word, _ in last].index("RUN")
    assert "/healthz" in stated["HEALTHCHECK"]
    assert json.loads(stated["VOLUME"]) == ["/data"]
    assert json.loads(stated["ENTRYPOINT"]) == ["relnotes"]
    assert_is_command(json.loads(stated["CMD"]))
    assert_are_settings(re.findall(r"(\w+)=", stated["ENV"]))
    # A secret in a build argument or in the environment stays readable in the image.
    assert not [rest for word, rest in instructions() if word in ("ARG", "ENV") and re.search("TOKEN|SECRET|KEY", rest)]
