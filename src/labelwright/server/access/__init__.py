"""Who may do what: accounts, permission, rater links, visit tokens, audit log."""
