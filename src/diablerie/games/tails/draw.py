"""The board of TAILS as SVG."""
