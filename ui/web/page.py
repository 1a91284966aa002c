"""The site: a page for each thing that people come for, all of them HTML of our own in one shell (`ui.web.shell`)."""

from fastapi import FastAPI

from ui.web.ask.endpoints import add_ask_page
from ui.web.document import add_document_page
from ui.web.library import add_library_page
from ui.web.products import add_product_pages
from ui.web.quality import add_quality_page
from ui.web.review import add_review_page
from ui.web.services import PageServices
from ui.web.shell import add_assets
from ui.web.upgrade import add_upgrade_page


def mount_page(app: FastAPI, services: PageServices) -> None:
    add_assets(app)
    add_ask_page(app, services)
    add_upgrade_page(app, services)
    add_review_page(app, services)
    add_library_page(app, services)
    add_product_pages(app, services)
    add_document_page(app, services)
    add_quality_page(app)
