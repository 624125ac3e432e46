"""What only the Ensembles page has: its state, its part of the link, its controls and panels."""
