"""The game server, in layers: `protocol`, `storage`, `tables`, `http`; each may import the ones before it."""
