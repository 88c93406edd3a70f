"""Running an installation: demo, laptop database, health checks, doctor, and copying studies."""
