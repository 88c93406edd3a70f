"""Paying raters: planned payments, the ledger, budgets, payment runs, and confirmations."""
