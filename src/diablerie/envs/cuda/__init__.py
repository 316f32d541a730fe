"""Batches and playouts on a graphics card, from the rules that the CPU runs: see `batch`.

Nothing of the games is written here: `kernels` has one thread of the card do for one game what
`envs.stepping` and `engine.playout` do for each, and numba-cuda compiles it, rules and all.
"""
