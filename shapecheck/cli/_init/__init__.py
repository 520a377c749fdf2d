"""What `shapecheck init` writes, as edits of text that keep everything else in a file.

`toml_edits`, `ini_edits` and `yaml_edits` return the new text, None if they cannot edit the file safely, and the old
text if nothing is missing; the first two compare what a parser reads from both. `templates` is what is added, and
`plan` decides which files change.
"""
