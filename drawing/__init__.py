"""From the engine's values to pictures and words; no streamlit."""
