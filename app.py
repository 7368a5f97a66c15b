"""The page. Start it with ``streamlit run app.py`` or, with everything set up by itself, ``scripts/run.py``."""

from src.ui.page import draw

draw()
