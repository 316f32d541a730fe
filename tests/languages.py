"""The languages there are, beside English."""

from pathlib import Path

import diablerie

ROOT = Path(diablerie.__file__).parent
LANGUAGES = ("de", "fr", "ro")
