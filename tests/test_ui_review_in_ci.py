"""The composite action and the pre-commit hook, run as GitHub's runner and pre-commit run them."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from git_projects import commit_all, git, make_project
from ui_small_index import NOTES

REPOSITORY = Path(__file__).parents[1]
ACTION = REPOSITORY / ".github" / "actions" / "review" / "action.yml"
HOOKS = REPOSITORY / ".pre-commit-hooks.yaml"
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="git isn't installed")

pytestmark = [pytest.mark.slow, NEEDS_GIT]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A machine with this relnotes on its PATH, and nobody's configuration of git."""
    tools = tmp_path / "bin"
    tools.mkdir()
    relnotes = tools / "relnotes"
    relnotes.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from ui.cli import main; main()" "$@"\n')
    relnotes.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "PRE_COMMIT"))}
    return kept | {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a commit that bumps widget, and uses what the notes deprecate."""
    return make_project(tmp_path / "project")


@dataclass(frozen=True, slots=True)
class Job:
    """What a run of the action left behind."""

    status: int
    log: str
    outputs: dict[str, str]
    summary: str


def run_action(project: Path, environment: dict[str, str], runner: Path, *, event: dict[str, str], **given: str) -> Job:
    """Run the steps in order as the runner does, with its files for outputs, its expressions in `env` and `if`."""
    action: dict[str, Any] = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    inputs = {name: str(declared.get("default", "")) for name, declared in action["inputs"].items()}
    assert given.keys() <= inputs.keys() | {name.replace("-", "_") for name in inputs}
    inputs |= {name.replace("_", "-"): value for name, value in given.items()}
    runner.mkdir()
    known = (
        {f"inputs.{name}": value for name, value in inputs.items()} | event | {"github.action_path": str(ACTION.parent)}
    )
    files = {name: runner / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.touch()
    log, status = "", 0
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert not EXPRESSION.search(step["run"]), "an input would be pasted into the script"
        if condition := step.get("if"):
            name, nothing = re.fullmatch(r"(\S+) != ('')", condition).groups()  # type: ignore[union-attr]
            assert nothing == "''"
            if not known[name]:
                continue
        script = runner / "script.sh"
        script.write_text(step["run"], encoding="utf-8")
        of_step = {name: _evaluated(value, known) for name, value in step.get("env", {}).items()}
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=project,
            env=environment
            | {name: str(file) for name, file in files.items()}
            | {"RUNNER_TEMP": str(runner), "GITHUB_WORKSPACE": str(project)}
            | of_step,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        log += ran.stdout + ran.stderr
        status = ran.returncode
        if status:
            break
    written = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    outputs = {
        name: _evaluated(declared["value"], {f"steps.review.outputs.{key}": value for key, value in written.items()})
        for name, declared in action["outputs"].items()
    }
    return Job(status, log, outputs, files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8"))


def _evaluated(value: str, known: dict[str, str]) -> str:
    """The first of `a || b` that isn't empty."""
    return EXPRESSION.sub(
        lambda found: next(filter(None, (known.get(n, "") for n in found[1].split(" || "))), ""), value
    )


def commands(log: str) -> list[str]:
    """The commands that the runner would obey."""
    obeyed, stop = [], None
    for line in log.splitlines():
        if stop is not None:
            stop = None if line == f"::{stop}::" else stop
        elif line.startswith("::stop-commands::"):
            stop = line.removeprefix("::stop-commands::")
        elif line.startswith("::"):
            obeyed.append(line)
    assert stop is None
    return obeyed


def test_the_action_reviews_a_pull_request(
    project: Path, environment: dict[str, str], review_index: Path, tmp_path: Path
) -> None:
    base = git(project, "rev-parse", "HEAD~1")
    job = run_action(
        project,
        environment,
        tmp_path / "runner",
        event={"github.event.pull_request.base.sha": base},
        index=str(review_index),
    )
    assert job.status == 0, job.log
    assert commands(job.log) == []
    assert "### Release Notes" in job.summary
    assert Path(job.outputs["markdown"]).read_text(encoding="utf-8") == job.summary
    assert "wheel.py" in job.summary


def test_the_action_fails_on_what_it_is_told_to(
    project: Path, environment: dict[str, str], review_index: Path, tmp_path: Path
) -> None:
    before = {"github.event.before": git(project, "rev-parse", "HEAD~1")}
    job = run_action(
        project, environment, tmp_path / "runner", event=before, index=str(review_index), fail_on="security,\nremoval"
    )
    assert job.status == 1
    assert "--fail-on removal: 1 found" in job.log
    assert commands(job.log) == []
    assert "### Release Notes" in job.summary


def test_the_action_ingests_the_notes_it_is_given(project: Path, environment: dict[str, str], tmp_path: Path) -> None:
    notes = shutil.copytree(NOTES / "bumped", tmp_path / "my notes")
    first_push = {"github.event.before": "0" * 40}
    job = run_action(project, environment, tmp_path / "runner", event=first_push, notes=f"{notes}\n", summary="false")
    assert job.status == 0, job.log
    assert "removed" in Path(job.outputs["markdown"]).read_text(encoding="utf-8")
    assert job.summary == ""


@pytest.mark.parametrize("words", ['"; touch owned; "$(touch owned)', "--output=owned\n::error::x"])
def test_no_input_runs_anything(
    words: str, project: Path, environment: dict[str, str], review_index: Path, tmp_path: Path
) -> None:
    job = run_action(project, environment, tmp_path / "runner", event={}, index=str(review_index), diff=words)
    assert job.status == 2
    assert not list(project.rglob("owned"))
    assert commands(job.log) == []
    assert "Traceback" not in job.log


def pre_commit(project: Path, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", *words], cwd=project, env=environment, capture_output=True, text=True
    )


@pytest.fixture
def hooked(project: Path, environment: dict[str, str], review_index: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a project that has taken over our hook from a repository at a revision."""
    pytest.importorskip("pre_commit", reason="pre-commit isn't installed: pip install -e '.[test]'")
    ours = tmp_path / "relnotes"
    ours.mkdir()
    shutil.copy(HOOKS, ours)
    git(ours, "init", "-q")
    commit_all(ours, "hooks")
    hook = {"id": "relnotes-review-system", "args": ["--diff", "HEAD", "--fail-on", "removal"]}
    repo = {"repo": str(ours), "rev": git(ours, "rev-parse", "HEAD"), "hooks": [hook]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [repo]}))
    commit_all(project, "hook")
    return environment | {"PRE_COMMIT_HOME": str(tmp_path / "home"), "RELNOTES_INDEX": str(review_index)}


def test_the_hook_stops_a_commit_that_bumps_over_a_removal(project: Path, hooked: dict[str, str]) -> None:
    (project / "requirements.txt").write_text("widget==1.5.0\n")
    git(project, "commit", "-qam", "back")
    (project / "requirements.txt").write_text("widget==2.0.0\n")
    git(project, "add", "-A")
    ran = pre_commit(project, hooked, "run")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "The `widget.flip` function was removed" in ran.stdout
    assert "--fail-on removal: 1 found" in ran.stdout


def test_the_hook_looks_at_what_is_staged_only(project: Path, hooked: dict[str, str]) -> None:
    (project / "requirements.txt").write_text("widget==1.5.0\n")
    git(project, "commit", "-qam", "back")
    (project / "requirements.txt").write_text("widget==2.0.0\n")
    (project / "other.txt").write_text("x\n")
    git(project, "add", "other.txt")
    ran = pre_commit(project, hooked, "run")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "widget" not in ran.stdout


def test_the_entry_of_the_hooks_is_a_command_that_the_product_installs() -> None:
    hooks = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    scripts = re.findall(r"(?m)^(\w+) = \"ui\.cli:main\"", (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert {hook["entry"] for hook in hooks} == {f"{scripts[0]} review"}
