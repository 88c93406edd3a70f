"""Pages and addresses of publishing."""
