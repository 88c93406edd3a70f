"""Texts that a language model generates for raters: generation, budget, review."""
