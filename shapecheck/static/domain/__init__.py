"""The abstract domain: the kinds of values, and what follows from values alone.

Values, joins and widening, truth, runtime types for isinstance, facts about classes, summary collections. Nothing here
imports the rest of the engine. Not here: anything that needs a run, such as findings, the journal or evaluation.
"""
