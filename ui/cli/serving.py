"""`relnotes serve`, `mcp` and `slack`."""

import json
from typing import Annotated

import typer

from ui.cli.options import IndexOption, JsonOption, ModelOption, echo
from ui.environment import check_extra
from ui.settings import load_server_settings


def serve(
    host: Annotated[
        str | None, typer.Option(metavar="H", help="Address to listen on (env RELNOTES_HOST; default: 127.0.0.1)")
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="N", help="Port, 0 for a free one (env RELNOTES_PORT; default: 7860)")
    ] = None,
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Serve the web page, the HTTP API, the Gradio app, MCP at /mcp and Slack's events until SIGTERM or Ctrl-C.

    A new state of the index is picked up without a restart. An address other
    than this machine's loopback needs RELNOTES_TOKEN: clients of /v1 and /mcp
    send it as a bearer token, browsers ask for it as the password. Each request
    is a line on stderr, without the question: of JSON, or for people on a
    terminal.

    Examples:
      relnotes serve
      RELNOTES_TOKEN=... relnotes serve --host 0.0.0.0 --port 8080
    """
    from ui.running import run_server

    run_server(
        load_server_settings(host=host, port=port, model=model, index=index),
        announce=lambda address: typer.echo(
            json.dumps({"address": address}) if as_json else f"relnotes answers at {address}"
        ),
        warn=lambda line: echo(f"relnotes: {line}"),
    )


def mcp(
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,  # noqa: ARG001  # every command takes it; this one speaks nothing but JSON
) -> None:
    """Serve MCP on stdin and stdout, for clients that start their servers themselves.

    Tools: search, fetch, ask, list_versions, changes_between, review, cite. A
    new state of the index is picked up without a restart; `relnotes serve` has
    the same tools over HTTP. Stdout is for the protocol alone.

    Examples:
      claude mcp add relnotes -- relnotes mcp
      relnotes mcp --index ./index
    """

    check_extra("mcp")
    # This command doesn't listen, so a wrong address in the environment must not stop it.
    settings = load_server_settings(host="127.0.0.1", port=0, model=model, index=index)
    from ui.mcp.stdio import run_stdio

    run_stdio(settings, warn=lambda line: echo(f"relnotes: {line}"))


def slack(
    manifest: Annotated[
        bool, typer.Option("--manifest", help="Print the manifest to make the Slack app from, and exit")
    ] = False,
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run the Slack bot in Socket Mode until SIGTERM or Ctrl-C.

    Needs SLACK_BOT_TOKEN and SLACK_APP_TOKEN. To have Slack send its events
    over HTTP, set SLACK_SIGNING_SECRET and run `relnotes serve` instead.

    Examples:
      relnotes slack --manifest > manifest.yaml
      relnotes slack
    """
    from ui.slack import manifest_text

    if manifest:
        typer.echo(json.dumps({"manifest": manifest_text()}) if as_json else manifest_text(), nl=as_json)
        return

    settings = load_server_settings(model=model, index=index)
    check_extra("slack")
    from ui.slack.service import run_socket_mode

    run_socket_mode(
        settings,
        announce=lambda line: typer.echo(json.dumps({"status": line}) if as_json else line),
        warn=lambda line: echo(f"relnotes: {line}"),
    )
