"""The rules of the operators, family by family, and what all of them share."""
