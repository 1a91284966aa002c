"""The web page: Gradio for the controls, our own HTML for answers."""
