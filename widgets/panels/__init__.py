"""The panels of the Grow page: what the server draws beside the stage."""
