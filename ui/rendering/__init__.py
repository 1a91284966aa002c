"""Answers in every form that people read: terminal, plain text, Markdown, Slack blocks. All of it is pure.

`answer_text` takes an answer's Markdown apart, `words` says what all forms say alike, and each form is one module.
HTML is in `ui.web.ask.answer_html`, for it needs the text around each quote; JSON in `ui.contract.answer`. Nothing of a
document is ever read as markup of the form it is shown in.
"""
