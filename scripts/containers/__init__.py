"""Builds the image, starts the containers of compose.yaml, and lets a browser judge a task in them."""
