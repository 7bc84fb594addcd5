"""scikit-learn's k-means beside asof's. One JSON object a line on standard input, one a line back.

For each {"points": path of float32 rows, "dimension": d, "algorithm": "kMeans" or "miniBatchKMeans", "k": k,
"restarts": r, "seed": s}: fits, and answers {"seconds": ..., "cpuSeconds": ..., "inertia": ..., "iterations": ...}. The
first answer, to an empty object, names the versions.
"""

import json
import sys
import time

import numpy
import sklearn
from sklearn.cluster import KMeans, MiniBatchKMeans


def main() -> None:
    for line in sys.stdin:
        task = json.loads(line)
        if not task:
            print(json.dumps({"scikit-learn": sklearn.__version__, "numpy": numpy.__version__}), flush=True)
            continue
        points = numpy.fromfile(task["points"], dtype=numpy.float32).reshape(-1, task["dimension"])
        common = {"n_clusters": task["k"], "n_init": task["restarts"], "random_state": task["seed"]}
        if task["algorithm"] == "kMeans":
            model = KMeans(**common, max_iter=300, tol=1e-4)
        else:
            model = MiniBatchKMeans(**common, batch_size=1024, max_iter=100)
        start, cpu_start = time.perf_counter(), time.process_time()
        model.fit(points)
        spent = {"seconds": time.perf_counter() - start, "cpuSeconds": time.process_time() - cpu_start}
        print(json.dumps({**spent, "inertia": float(model.inertia_), "iterations": int(model.n_iter_)}), flush=True)


if __name__ == "__main__":
    main()
