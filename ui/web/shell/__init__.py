"""Between the browser and Gradio: the first response, what the page may send, what is kept of visitors."""
