"""The Slack bot: events come in over HTTP or Socket Mode, are remembered on disk, and are answered once each.

`bot` takes requests in and acknowledges them, `memory` keeps them, `workers` answers them with what `answering` makes
of the assistant's answers, `web_api` talks to Slack. Needs `pip install 'relnotes[slack]'`.
"""
