"""What the Prune page is made of."""
