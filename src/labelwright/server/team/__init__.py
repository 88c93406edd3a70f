"""The settings of a study and of an account: team, invitations, audit log, API tokens and webhooks."""
