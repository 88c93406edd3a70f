"""Models as raters: their requests, their cost, and what their labels are worth."""
