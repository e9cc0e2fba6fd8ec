"""Where events are kept: the contract of a store, SQLite and PostgreSQL, and what watches over them."""
