"""The game server, in layers: `protocol`, `storage`, `tables`, `routes`, `http`; each may import the ones before it."""
