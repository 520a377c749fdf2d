"""Questions about a place of a document, one topic per file: `answer(project, question)` returns JSON."""
