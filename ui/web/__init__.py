"""The site: pages of HTML of our own, each complete when it comes."""
