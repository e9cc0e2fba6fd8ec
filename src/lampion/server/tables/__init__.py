"""Tables: their state, the live tables of a server, their bots, and the work that is done for them."""
