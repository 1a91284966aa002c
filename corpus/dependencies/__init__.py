"""What a project depends on: names and versions read from its requirement, lock, image and workflow files."""
