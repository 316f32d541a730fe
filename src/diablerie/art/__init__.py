"""What all games draw with: the SVG builder, the devil, seat marks and pieces.

Everything looks like cut paper in a printed toy theatre: a cream edge, flat colours printed slightly
aside of the outline, wedge-shaped cuts for shade. Colours are CSS classes
(`web/static/art.css`), never attributes.
"""
