"""`relnotes slack`."""

import json
from typing import Annotated

import typer

from ui.cli.options import IndexOption, JsonOption, ModelOption, RerankerOption, say


def slack(
    check: Annotated[
        bool, typer.Option("--check", help="Say what is missing, and exit; status 1 if anything is")
    ] = False,
    manifest: Annotated[
        bool, typer.Option("--manifest", help="Print the manifest to make the Slack app from, and exit")
    ] = False,
    model: ModelOption = None,
    reranker: RerankerOption = None,
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
    if manifest:
        from ui.slack.manifest import manifest_text

        text = manifest_text()
        typer.echo(json.dumps({"manifest": text}) if as_json else text, nl=as_json)
        return
    from ui.settings import load_server_settings
    from ui.slack.extra import check_extra
    from ui.slack.settings import load_slack_settings

    settings = load_server_settings(model=model, reranker=reranker, index=index)
    secrets = load_slack_settings()
    check_extra()
    if check:
        from ui.slack.check import run_checks

        checks = run_checks(settings, secrets)
        if as_json:
            typer.echo(
                json.dumps({"checks": [{"name": one.name, "ok": one.ok, "detail": one.detail} for one in checks]})
            )
        else:
            for one in checks:
                typer.echo(f"{'ok     ' if one.ok else 'missing'}  {one.name}: {one.detail}")
        if not all(one.ok for one in checks):
            raise typer.Exit(1)
        return
    from ui.slack.socket_mode import run_socket_mode

    run_socket_mode(
        settings,
        secrets,
        announce=lambda line: typer.echo(json.dumps({"status": line}) if as_json else line),
        warn=lambda line: say(f"relnotes: {line}"),
    )
