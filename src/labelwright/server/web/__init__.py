"""Code that all pages share: errors, language, money, static files, middleware."""
