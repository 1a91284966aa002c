"""Answers, claims, upgrades, reviews and indexes as people read them; all is pure, and nothing of a document is ever
read as markup of the form it is shown in. HTML is in `ui.web`; JSON in `ui.contract`."""
