"""Writes what scikit-learn's HDBSCAN finds, as test fixture: labels of blobs of several densities with noise.

    python bench/peers/hdbscan_fixture.py > src/clustering/testing/hdbscan.fixture.json
"""

import json

import numpy
import sklearn
from sklearn.cluster import HDBSCAN


def points_of(random: numpy.random.Generator, dimension: int, groups: int) -> numpy.ndarray:
    parts = [random.uniform(-10, 10, (12, dimension))]
    for _ in range(groups):
        centre = random.uniform(-8, 8, dimension)
        size = int(random.integers(6, 30))
        parts.append(centre + random.normal(0, random.uniform(0.2, 1.5), (size, dimension)))
    return random.permutation(numpy.concatenate(parts).round(3))


def main() -> None:
    cases = []
    for seed in range(12):
        random = numpy.random.default_rng(seed)
        dimension = [2, 3, 8][seed % 3]
        points = points_of(random, dimension, 1 + seed % 5)
        least, samples = [(5, 5), (4, 2), (8, 3), (3, 6)][seed % 4]
        labels = HDBSCAN(min_cluster_size=least, min_samples=samples, algorithm="brute", copy=True).fit_predict(points)
        cases.append(
            {
                "dimension": dimension,
                "minimumClusterSize": least,
                "minimumSamples": samples,
                "points": points.astype(numpy.float32).astype(float).round(3).ravel().tolist(),
                "labels": labels.tolist(),
            }
        )
    print(json.dumps({"scikit-learn": sklearn.__version__, "cases": cases}))


if __name__ == "__main__":
    main()
