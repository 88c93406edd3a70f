"""One module per log format; importing it registers its reader, and the registry imports all of them."""
