"""What a games room answers, whoever carries the questions: requests and answers as plain data."""
