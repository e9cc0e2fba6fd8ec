"""What positions are worth, and what decided a game: evaluation, analysis, reasons."""
