"""Learning by self-play: a policy and a value for each seat, by PPO in compiled code.

`Learner` plays and learns; `learning.weights` keeps what was learnt in a file, which the bot
`net:file=FILE` plays by. `diablerie train` (`lab/train/`) does this from the command line.
"""
