"""The site: server-rendered HTML pages, each complete without its script."""
