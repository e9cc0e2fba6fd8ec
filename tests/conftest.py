"""What all tests share: a fifth game on the path, here and in every process that a test starts, and English."""

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

FIFTH = str(Path(__file__).parent / "fifth")
"""A package that is not ours, with a game in it. It must be on the path before the games are asked for."""

if FIFTH not in sys.path:
    sys.path.insert(0, FIFTH)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [FIFTH, os.environ.get("PYTHONPATH")]))
os.environ["LC_ALL"] = "C.UTF-8"

# The same examples in every run; `pytest --hypothesis-profile wander` goes looking for others.
CALM = settings(
    deadline=None, suppress_health_check=list(HealthCheck), max_examples=60, derandomize=True, database=None
)
settings.register_profile("calm", CALM)
settings.register_profile("wander", CALM, derandomize=False, max_examples=1000, print_blob=True)
settings.load_profile("calm")
