"""Tables of cases whose texts have many lines: in `tests/data/cases`, where each stands as it is."""

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

CASES = Path(__file__).parent / "data" / "cases"


class Case(NamedTuple):
    """`@case NAME`, `@of SUBJECT` where there is one, the text, then `@gives` with the lines that are expected."""

    name: str
    subject: str
    text: str
    gives: list[str]


def claim_cases(name: str, still_wrong: Collection[str]) -> list[object]:
    """Claims, their verdict as the subject, and words of the reason; those that the model reads wrong must fail."""
    wrong = [pytest.mark.xfail(strict=True)]
    return [
        pytest.param(case, id=case.name, marks=wrong if case.name in still_wrong else []) for case in read_cases(name)
    ]


def read_cases(name: str) -> list[Case]:
    """All cases of a file; a text ends in a newline only where an empty line stands below it."""
    cases = []
    for block in re.split(r"(?m)^@case ", (CASES / f"{name}.txt").read_text("utf-8"))[1:]:
        head, _, rest = block.partition("\n")
        subject, body = "", rest
        if rest.startswith("@of "):
            subject, _, body = rest.removeprefix("@of ").partition("\n")
        text, _, gives = f"\n{body}".partition("\n@gives\n")
        cases.append(Case(head, subject, text.removeprefix("\n"), gives.splitlines()))
    assert cases, name
    return cases


def read_rows(name: str, nested: type = tuple) -> list[object]:
    """The rows of a table in `tests/data/rows`, each a JSON array, behind its id and a tab where it has one."""
    lines = (CASES.parent / "rows" / f"{name}.txt").read_text("utf-8").removesuffix("\n").split("\n")
    rows = [line.rpartition("\t") for line in lines]
    return [pytest.param(*_nested(json.loads(row), nested), id=id_ or None) for id_, _, row in rows]


def _nested(value: Any, kind: type) -> Any:
    return kind(_nested(one, kind) for one in value) if isinstance(value, list) else value
