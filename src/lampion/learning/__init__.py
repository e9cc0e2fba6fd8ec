"""Train nets by self-play. Needs the extra `learn`; nothing here is needed to play."""
