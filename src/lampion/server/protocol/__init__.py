"""What goes over the wire and what is stored: the types of messages, stored events and HTTP bodies."""
