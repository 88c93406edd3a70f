"""Django's PostgreSQL backend, with connections that are checked before use."""
