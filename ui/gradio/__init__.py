"""The Gradio app: the endpoints that `gradio_client` calls, in Gradio's server mode (`gradio.Server`).

It relies on private parts of Gradio, to be checked at each upgrade (the range is in pyproject.toml): the sessions and
events of `Queue` (`bounds`), `App.create_app` with an existing app, and `LocalContext` (`app`).
"""
