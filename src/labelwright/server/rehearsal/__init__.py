"""A study worked through by simulated raters."""
