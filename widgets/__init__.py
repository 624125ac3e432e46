"""Parts of the page that the pages share, made with Streamlit."""
