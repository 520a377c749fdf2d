"""Calls: functions, classes, attributes and the binding of arguments."""
