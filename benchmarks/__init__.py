"""Measurements: `make bench` prints what docs/performance.md holds. No test depends on a time."""

import os

# One thread for everything that is compared; to be set before NumPy is imported.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
