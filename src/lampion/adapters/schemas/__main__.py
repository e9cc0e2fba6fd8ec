"""`python -m lampion.adapters.schemas [FOLDER]`: write the JSON Schemas, by default where they are shipped from."""

import sys
from pathlib import Path

from lampion.adapters.schemas import FOLDER, write

write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
