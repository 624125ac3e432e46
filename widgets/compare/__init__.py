"""The Compare page: two trees side by side, and what is said of them."""
