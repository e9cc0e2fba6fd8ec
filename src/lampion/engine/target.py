"""Where compiled functions run: as machine code that Numba makes here, or as a WebAssembly module made elsewhere.

In a page there is neither Numba nor NumPy. `LAMPION_ENGINE=plain` does without them anywhere, for tests.
"""

from __future__ import annotations

import os
import sys

COMPILES = sys.platform != "emscripten" and os.environ.get("LAMPION_ENGINE") != "plain"
"""Whether this process compiles; without it functions are plain Python unless a module of their game is loaded."""
HAS_THREADS = sys.platform != "emscripten"
"""Whether there can be a second thread."""
