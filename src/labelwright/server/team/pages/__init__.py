"""What the pages of settings show."""
