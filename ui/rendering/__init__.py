"""Answers, claims, upgrades, reviews and indexes as people read them: a module a subject; all is pure.

HTML is in `ui.web`; JSON in `ui.contract`. Nothing of a document is ever read as markup of the form it is shown in.
"""
