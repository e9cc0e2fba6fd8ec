"""What the games are: one folder a game, and `core`, the contract that all of them keep."""
