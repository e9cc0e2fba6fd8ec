"""The server under load: how fast it answers, what a kill costs, and how it compares with boardgame.io."""
