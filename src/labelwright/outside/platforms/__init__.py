"""Crowdsourcing platforms, one package each."""
