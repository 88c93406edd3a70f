"""Accounts, permission, links, receipts and the audit log."""
