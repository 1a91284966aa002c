"""The Gradio app: what `gradio_client` asks of the server, in Gradio's server mode (`gradio.Server`).

Gradio's privates that this relies on, to be looked at when Gradio changes (its range is in pyproject.toml): what
`Queue` keeps of sessions and events (`bounds`), `App.create_app` with an app of one's own and `LocalContext` (`app`).
"""
