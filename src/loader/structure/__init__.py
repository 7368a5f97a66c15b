"""Words to a page as a person reads it: lines, columns, paragraphs and what each of them is."""
