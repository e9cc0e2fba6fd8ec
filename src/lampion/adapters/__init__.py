"""The same games for other people's tools."""
