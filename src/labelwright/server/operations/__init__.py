"""Running an installation: demo, laptop database, health, doctor, copying."""
