"""The routes of a games room, whatever the transport: requests and answers as plain data."""
