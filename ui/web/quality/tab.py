"""Quality: how good the answers are, measured, and which questions have none."""

from collections.abc import Sequence

import gradio as gr

from corpus.errors import RelnotesError
from evals.last_run import AskedQuestion, load_last_run
from evals.run_history import RecordedRun, load_history
from evals.suites import FULL_SUITES, GATE_SUITES
from ui.feedback.unanswered import load_unanswered, unanswered_file
from ui.web.ask.answer_html import render_failure_html
from ui.web.controls import QUIETLY, SHOWN, html_block
from ui.web.quality.figures_html import ALL_SUITES, render_gaps_html, render_measure_html, render_overview_html
from ui.web.quality.measures import MEASURES, measure_of, suite_title
from ui.web.services import PageServices
from ui.web.trouble import tell_trouble

_READING = '<div class="rn-loading" role="status">Reading the last run<div class="rn-bar"></div></div>'


def add_quality_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    del page
    overview = html_block(_READING)
    names = dict.fromkeys(suite.name for suite in (*GATE_SUITES, *FULL_SUITES))
    suites = [("All suites", ALL_SUITES), *((suite_title(name), name) for name in names)]
    with gr.Row(elem_classes="rn-quality-choice"):
        suite = gr.Dropdown(suites, value=ALL_SUITES, label="Suite", elem_id="rn-quality-suite")
        measure = gr.Dropdown(
            [(one.title, one.metric) for one in MEASURES],
            value=MEASURES[0].metric,
            label="Measure",
            elem_id="rn-quality-measure",
        )
    chosen = html_block("", elem_id="rn-quality-chosen")
    gaps = html_block("", elem_id="rn-quality-gaps")

    def show(suite: str, metric: str) -> str:
        try:
            return _measure(load_last_run(), load_history(), suite, metric)
        except RelnotesError as error:
            return render_failure_html(tell_trouble(error))

    def open_tab(suite: str, metric: str) -> tuple[str, str, str]:
        try:
            asked, history = load_last_run(), load_history()
        except RelnotesError as error:
            return render_failure_html(tell_trouble(error)), "", ""
        settings = services.settings
        unanswered = load_unanswered(unanswered_file(settings.index)) if settings.log_questions else ()
        return (
            render_overview_html(asked, history),
            _measure(asked, history, suite, metric),
            render_gaps_html(asked, unanswered, is_kept=settings.log_questions),
        )

    tab = overview.parent
    assert isinstance(tab, gr.Tab)
    # Read when it is looked at: whoever came to ask doesn't wait for it.
    tab.select(open_tab, inputs=[suite, measure], outputs=[overview, chosen, gaps], **QUIETLY)
    for choice in (suite, measure):
        choice.input(show, inputs=[suite, measure], outputs=chosen, **SHOWN)


def _measure(asked: Sequence[AskedQuestion], history: Sequence[RecordedRun], suite: str, metric: str) -> str:
    return render_measure_html(asked, history, suite=suite, measure=measure_of(metric)) if asked else ""
