"""What all games are drawn with: the SVG builder, the devil, seat marks and pieces.

Everything looks cut from printed paper: a cream edge, flat inks a little out of register, wedge
cuts for shade. Colours are CSS classes (`web/static/art.css`), never attributes.
"""
