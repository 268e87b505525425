"""The modules that build the documentation are a folder of their own, beside its pages."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "docs" / "hooks"))
