"""Short names for arrays by their dtype.

Docstrings say the shapes; rules read and write C-contiguous arrays of one dimension where nothing
else is said.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Records = NDArray[Any]  # of states, or of other records; an element has their fields
Layout = np.dtype[Any]  # of one
