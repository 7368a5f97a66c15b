"""The page and the API in one process: ``streamlit run serve.py``, as scripts/run.py and the Dockerfile do.

The API is off until ``DOCENGINE_API_TOKEN`` is set. ``app.py`` is the page alone, for platforms that start that file.
"""

import streamlit as st

from src.api import routes
from src.settings import SettingsError
from src.ui.desk import service

try:
    mounted = routes(service())
except SettingsError:  # the page says which setting it is
    mounted = []

app = st.App("app.py", routes=mounted)
