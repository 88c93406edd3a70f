"""Figures, items and exports."""
