"""The room that touches the PDF library: characters, drawings and notes of a page, and which of them can be seen."""
