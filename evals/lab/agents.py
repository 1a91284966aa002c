"""Measures the size of one `ask` over MCP for an agent, and whether the result contains the answer to a typed question.

The official client asks `relnotes mcp` each question of QUESTIONS once, without a conversation. Characters are those of
the result as it is sent; before the first call a client reads the tools.
"""

import asyncio
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evals.lab.processes import RELNOTES
from evals.lab.trials import CountTable, TrialFindings
from evals.matching import holds_wording, plain_answer
from evals.question_set import Question, load_questions

_MOST_CHARACTERS, _MOST_OF_TOOLS = 900, 3_500
_TEXTS = ("the answer, told", "that or the first candidate", "the first two", "the first three", "all candidates")


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this trial."""
    parser.add_argument("questions", type=Path)
    parser.add_argument("--index", type=Path, required=True)


def run(options: Namespace) -> TrialFindings:
    """Ask the questions that have an answer.

    Raises:
        RelnotesError: the questions can't be read.
    """
    questions = [question for question in load_questions(options.questions) if question.answerable]
    tools, sizes, has_answer = asyncio.run(_ask(questions, options.index))
    mean = round(sum(sizes) / len(sizes))
    counts = zip(_TEXTS, (sum(column) for column in zip(*has_answer, strict=True)), strict=True)
    rows = [(name, f"{count} of {len(has_answer)}") for name, count in counts]
    return TrialFindings(
        "One ask over MCP",
        (
            ("characters of an ask, mean", f"{_MOST_CHARACTERS:,} at most", f"{mean:,}", mean <= _MOST_CHARACTERS),
            ("characters of all tools", f"{_MOST_OF_TOOLS:,} at most", f"{tools:,}", tools <= _MOST_OF_TOOLS),
        ),
        (CountTable(("all key facts stand in", "questions"), (*rows, ("characters, most", f"{max(sizes):,}"))),),
    )


async def _ask(questions: list[Question], index: Path) -> tuple[int, list[int], list[tuple[bool, ...]]]:
    """Return the characters of the tools' list and of each result, and whether each of `_TEXTS` contains the answer."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    program, *options = (*RELNOTES, "mcp", "--index", str(index))
    sizes, has_answer = list[int](), list[tuple[bool, ...]]()
    async with Client(stdio_client(StdioServerParameters(command=program, args=options))) as client:
        tools = (await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True)
        for question in questions:
            fields = {"question": question.question, "history": question.history, "product": question.product}
            result = await client.call_tool("ask", fields)
            sizes.append(sum(len(content.text) for content in result.content if content.type == "text"))
            has_answer.append(tuple(_has_key_facts(question, text) for text in _texts(result.structured_content or {})))
    return len(tools), sizes, has_answer


def _texts(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts named in `_TEXTS`: the answer, then the answer with 1, 2, 3 and all candidates."""
    answer = "" if result.get("status") in ("not_found", "unsure") else result.get("answer", "")
    lines = [candidate["line"] for candidate in result.get("candidates", ())]
    yield from ("\n".join((answer, *lines[:most])) for most in (0, 1, 2, 3, None))


def _has_key_facts(question: Question, text: str) -> bool:
    plain = plain_answer(text)
    return all(any(holds_wording(wording, plain) for wording in group) for group in question.answer_key)
