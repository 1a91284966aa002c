"""Between the browser and Gradio: the first response, which is all of Ask; what the page may send, what is kept of
visitors.

Gradio's privates that this relies on, to be looked at when Gradio changes (its range is in pyproject.toml):

- `visitors`: `StateHolder` and `SessionState`. Without them a visitor takes more memory and is never forgotten.
- `visitors`, `events`: what `Queue` keeps of visitors and events. Without it, who sends and doesn't read isn't shed.
- `page`: `_queue.ANALYTICS_MAX_EVENTS` and `state_session_capacity`, without which more is kept of visitors; and the
  last route of the app, which is Gradio's mount: left there, it answers a wrong method on our own paths with 404.
- `page_shell`: `</head>` and `<gradio-app` in the page, which is passed on as it is where they are missing; and how it
  names its script, its style and `window.gradio_config`, which `scripts/tabs.js` brings when a tab of it is opened.
"""
