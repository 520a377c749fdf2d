"""The parts of the documentation that are generated from the code, and hooks of the site's build."""
