"""A project's dependencies: names and versions read from its requirement, lock, image and workflow files."""
