"""Fuzz targets of the entrances: HTTP, MCP and Slack through the real handlers, files of the ui, what is rendered."""

from fuzz_answers import answer_targets
from fuzz_bench import Bench
from fuzz_mcp_stdio import stdio_target
from fuzz_requests import request_targets
from fuzz_slack import slack_targets
from fuzz_target import Target
from fuzz_ui_files import ui_file_targets


def entrance_targets(bench: Bench) -> tuple[Target, ...]:
    """Those of the ui, over a running bench."""
    return (
        *request_targets(bench),
        stdio_target(bench),
        *slack_targets(bench),
        *answer_targets(bench),
        *ui_file_targets(),
    )
