"""What the process keeps of the memory that arrays have freed."""

from __future__ import annotations

import numpy as np

_KEPT_BYTES = 31 << 20


def keep_freed_memory() -> None:
    """Let the process keep memory that arrays have freed, up to 62 MB, for the next arrays.

    glibc gives large arrays back to the system at once, and fetching their pages anew takes longer than
    what is done with them: searches were twice as slow. Once it has freed an array of this size, which
    costs nothing as nothing is written, it keeps arrays up to this size (mallopt(3), M_MMAP_THRESHOLD).
    """
    np.empty(_KEPT_BYTES, dtype=np.uint8)
