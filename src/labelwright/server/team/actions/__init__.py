"""The team of a study: roles, invitations and transfer."""
