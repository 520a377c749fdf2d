"""Abstract values and what needs nothing but them: joins, truth, class facts, summary collections."""
