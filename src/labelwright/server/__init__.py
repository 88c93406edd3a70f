"""The server: Django on PostgreSQL."""
