"""What every page shares: errors, language, money, static files, middleware."""
