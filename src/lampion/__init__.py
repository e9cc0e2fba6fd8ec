"""Lampion: four family games of light, for people, bots and researchers."""

__version__ = "1.0.0"
