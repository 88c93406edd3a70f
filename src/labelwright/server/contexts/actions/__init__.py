"""Planning, generating and reviewing texts."""
