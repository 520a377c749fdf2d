"""`python -m shapecheck.lsp.worker`: answers the requests on standard input."""

from shapecheck.lsp.worker.loop import main

main()
