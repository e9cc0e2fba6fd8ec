"""Lampion: four family games of light, for people, bots and researchers."""

__version__ = "0.1.0"
