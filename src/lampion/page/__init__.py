"""The games room without a server: what a browser needs to run the same rules, bots and tables in the page itself."""
