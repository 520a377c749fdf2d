"""Models as people write them, each once right and once with one fault, whose line says what is to be found there."""
