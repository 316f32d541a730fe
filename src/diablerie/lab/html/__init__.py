"""Reports as HTML pages that need no other file: parts of pages, figures, formats of numbers."""
