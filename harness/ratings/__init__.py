"""Ratings: one file for each method."""
