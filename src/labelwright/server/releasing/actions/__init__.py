"""What can happen to a release."""
