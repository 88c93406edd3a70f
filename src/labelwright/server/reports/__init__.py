"""Reports: themes of what raters wrote, the facts around the ratings, and the report of a study."""
