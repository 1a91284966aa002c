"""Fuzz targets of the files that the entrances read, and of names and ids."""

import json
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fuzz_signs import JSON_SIGNS
from fuzz_target import Target, text_of
from page_answers import ANSWER

from corpus.errors import RelnotesError, UsageError
from ui.cli.batch_lines import read_batch
from ui.contract.answer import AnswerBody
from ui.contract.reading import read_answer, read_search
from ui.feedback.candidates import load_ids
from ui.feedback.log import read_feedback
from ui.feedback.unanswered import load_unanswered
from ui.http.tokens import load_grants
from ui.library.uploads import safe_name
from ui.mcp.excerpts import parse_resource_uri, parse_text_id
from ui.slack.channels import load_channels
from ui.slack.intake import readable_text


def _check_files(folder: Path, data: bytes) -> None:
    readers: tuple[Callable[[Path], object], ...] = (
        load_grants,
        load_channels,
        read_batch,
        load_ids,
        read_feedback,
        load_unanswered,
    )
    path = folder / "given.toml"
    path.write_bytes(data)
    for read in readers:
        try:
            read(path)
        except RelnotesError as error:
            assert str(error).strip()


def _check_ids(data: bytes) -> None:
    text = text_of(data)
    for read in (parse_text_id, parse_resource_uri):
        try:
            read(text)
        except UsageError as error:
            assert str(error).strip()
    try:
        name = safe_name(text)
    except UsageError:
        name = "none"
    assert name not in ("", ".", "..")
    assert not {"/", "\\", "\0"} & set(name)
    assert len(name.encode("utf-8", "surrogatepass")) <= 255
    readable_text(text, bot_user="U1").encode()
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(body, dict):
        read_answer(body)
        read_search(body)


def ui_file_targets() -> tuple[Target, ...]:
    """Files of tokens, channels, questions and verdicts; ids, names and bodies."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    return (
        Target(
            "ui-files",
            partial(_check_files, folder),
            (
                b'[ada]\nsha256 = "00"\nscopes = ["ask"]\nexpires = 2026-01-01\n',
                b'{"id": "1", "question": "Is it?"}\n',
                b'[channels.C1]\nproducts = ["widget"]\n',
            ),
            ("[", "]", "= ", '"', "'''", "{", "}", "\n", "\\u0000", "1979-05-27", *JSON_SIGNS),
        ),
        Target(
            "ids-and-bodies",
            _check_ids,
            (
                b"1:2-3",
                b"relnotes://documents/1",
                b"notes.md",
                json.dumps(AnswerBody.model_validate(ANSWER).model_dump(mode="json")).encode(),
            ),
            (*JSON_SIGNS, ":", "-", "../", "\\", "\x00", "relnotes://", "CON", "\u0660"),
        ),
    )
