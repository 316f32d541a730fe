"""What pages are made of: templates, sentences, pictures, static files."""
