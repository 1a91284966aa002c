"""`relnotes slack`."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from ui.cli.options import IndexOption, JsonOption, ModelOption, say


def slack(
    check: Annotated[
        bool, typer.Option("--check", help="Say what is missing, and exit; status 1 if anything is")
    ] = False,
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
      relnotes slack --check
      relnotes slack
    """
    from ui.slack import check_extra, manifest_text

    if manifest:
        typer.echo(json.dumps({"manifest": manifest_text()}) if as_json else manifest_text(), nl=as_json)
        return
    from ui.settings import load_server_settings

    settings = load_server_settings(model=model, index=index)
    check_extra()
    if check:
        from ui.slack.check import run_checks

        checks = run_checks(settings)
        if as_json:
            typer.echo(json.dumps({"checks": [asdict(checked) for checked in checks]}))
        else:
            for checked in checks:
                typer.echo(f"{'ok     ' if checked.ok else 'missing'}  {checked.name}: {checked.detail}")
        if not all(checked.ok for checked in checks):
            raise typer.Exit(1)
        return
    from ui.slack.service import run_socket_mode

    run_socket_mode(
        settings,
        announce=lambda line: typer.echo(json.dumps({"status": line}) if as_json else line),
        warn=lambda line: say(f"relnotes: {line}"),
    )
