"""Tries the deployment guide on an empty Debian machine, and then kills, upgrades, loses and restores the server."""
