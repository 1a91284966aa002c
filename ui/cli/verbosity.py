"""`--quiet` and `--verbose`, before a command's name and after it: what is said on stderr beside errors."""

import logging
from typing import Any

from typer.core import TyperOption

from ui.server.log import OURS

_PACKAGES = ("corpus", "ingest", "retrieval", "evals", "ui")


def verbosity_options() -> list[TyperOption]:
    """The two options, for a command of its own."""
    return [
        TyperOption(
            param_decls=[name], is_flag=True, default=False, expose_value=False, is_eager=True, callback=use, help=told
        )
        for name, use, told in (
            ("--quiet", _be_quiet, "Say nothing on stderr but errors: no progress, no notes, no log"),
            ("--verbose", _be_verbose, "Tell on stderr what is done, step by step"),
        )
    ]


def is_quiet() -> bool:
    """Whether nothing but errors is to be said."""
    return logging.getLogger(OURS).level == logging.ERROR


def _be_quiet(_context: Any, _option: Any, wanted: bool) -> None:
    if wanted:
        logging.getLogger(OURS).setLevel(logging.ERROR)
        logging.disable(logging.WARNING)


def _be_verbose(_context: Any, _option: Any, wanted: bool) -> None:
    if wanted:
        logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.WARNING)
        for name in (OURS, *_PACKAGES):
            logging.getLogger(name).setLevel(logging.DEBUG)
        logging.disable(logging.NOTSET)
