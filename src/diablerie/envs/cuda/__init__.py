"""Batches and playouts on a GPU, with the very rules that the CPU runs: see `batch`.

This package contains nothing of the games. In `kernels` a GPU thread does for one game what
`envs.stepping` and `engine.playout` do for each game on a CPU; numba-cuda compiles it with the rules.
"""
