"""Every example that README, help and docs give, and the start page's questions, with the first line of its answer.

`python tests/example_answers.py` writes tests/data/examples.tsv anew; read what changed.
"""

import contextlib
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

REPOSITORY = Path(__file__).parents[1]
KEPT = Path(__file__).parent / "data" / "examples.tsv"
BUNDLE = (str(REPOSITORY / "corpus" / "documents"), str(REPOSITORY / "CHANGELOG.md"))
"""What `make run` ingests."""
_COMMAND = re.compile(r"^(?:\$ |   )? *(relnotes (?:ask|cite|search|upgrade) [^#|<\n]*?) *(?:#.*)?$", re.MULTILINE)
_AS_TYPED = re.compile(r"keywords will do \(([^)]*)\)")


def read_examples() -> tuple[str, ...]:
    """The commands, as they are shown; what is typed on the page is a command of its own."""
    from ui.cli.app import app

    readme = (REPOSITORY / "README.md").read_text("utf-8")
    pages = [readme, *(page.read_text("utf-8") for page in sorted((REPOSITORY / "docs").glob("*.md")))]
    commands: Any = typer.main.get_command(app)
    helps = [commands.help, *(command.help or "" for command in commands.commands.values())]
    shown = [command for text in (*pages, *helps) for command in _COMMAND.findall(text)]
    typed = re.findall(r"`([^`]+)`", _AS_TYPED.findall(readme)[0])
    return tuple(dict.fromkeys([*shown, *(f'relnotes ask "{question}"' for question in typed)]))


def read_printed() -> dict[str, list[str]]:
    """The commands that README shows with what they print, and those lines."""
    blocks = re.findall(r"```console\n(.*?)```", (REPOSITORY / "README.md").read_text("utf-8"), re.DOTALL)
    shown = [one.partition("\n") for block in blocks for one in block.split("$ ")[1:]]
    return {command: [line for line in printed.splitlines() if line.strip(" …")] for command, _, printed in shown}


def printed(example: str, index: Path) -> str:
    """What a command over `index` prints, without links of the terminal; its words on stderr where it fails."""
    from ui.cli.app import app

    words = [word for word in shlex.split(re.sub(r" --index \S+", "", example))[1:] if word != "--json"]
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        ran = CliRunner().invoke(app, [*words, "--index", str(index)])
    return (ran.stdout if ran.exit_code == 0 else f"exit status {ran.exit_code}: {ran.stderr}").strip()


def start_questions(index: Path) -> tuple[str, ...]:
    """What the page offers a visitor who has asked nothing yet, as commands."""
    from retrieval.assistant import Assistant
    from ui.web.ask.questions import start_questions as questions_of

    with Assistant.open(index) as assistant:
        return tuple(f'relnotes ask "{question}"' for question in questions_of(assistant.catalogue()))


def read_kept() -> dict[str, str]:
    """The kept first line of each example."""
    return dict(line.split("\t", 1) for line in KEPT.read_text("utf-8").splitlines())


def _main() -> None:
    from ingest.pipeline import build_index

    with tempfile.TemporaryDirectory() as place:
        index = Path(place) / "index"
        build_index(BUNDLE, index=index)
        examples = dict.fromkeys((*read_examples(), *start_questions(index)))
        lines = [f"{example}\t{printed(example, index).splitlines()[0]}\n" for example in examples]
    KEPT.write_text("".join(lines), encoding="utf-8")
    sys.stdout.write("".join(lines))


if __name__ == "__main__":
    _main()
