"""Repositories of git for tests of reviews, with nobody's configuration."""

import os
import subprocess
from pathlib import Path

_WHO = {f"GIT_{role}_{what}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(folder: Path, *words: str) -> str:
    """What a command of git in a folder says."""
    # A test may run below a hook of git, whose variables name another repository.
    around = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**around, **_WHO, "GIT_CONFIG_GLOBAL": os.devnull}
    ran = subprocess.run(["git", *words], cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def commit_all(folder: Path, subject: str) -> None:
    """Commit everything that lies in the folder."""
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", subject)


def make_project(folder: Path) -> Path:
    """A repository: one commit with widget 1.5.0, a second with 2.0.0 and code that uses it."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "requirements.txt").write_text("requests==2.0\nwidget==1.5.0\n")
    commit_all(folder, "first")
    (folder / "requirements.txt").write_text("requests==2.0\nwidget==2.0.0\n")
    (folder / "wheel.py").write_text("import widget\n\n# ::error::not a command\nwidget.spin(90)\n")
    commit_all(folder, "second")
    return folder
