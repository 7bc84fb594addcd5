"""Writes numpy's percentiles of a few small samples, which the percentile test compares with to the last bit.

    python bench/peers/percentile_fixture.py > src/evaluation/bootstrap/testing/percentile.fixture.json
"""

import json
import random
import sys

import numpy

SHARES = [0.0, 0.025, 0.1, 1 / 3, 0.5, 0.7, 0.975, 1.0]


def main() -> None:
    random_source = random.Random(7)
    samples = [[random_source.uniform(-1, 1) for _ in range(length)] for length in (1, 2, 3, 10, 41)]
    samples.append([0.1, 0.1, 0.1, 0.3])
    cases = [
        {"sorted": sorted(sample), "quantiles": [float(numpy.quantile(sample, share)) for share in SHARES]}
        for sample in samples
    ]
    json.dump({"shares": SHARES, "cases": cases}, sys.stdout, separators=(",", ":"))
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
