"""scipy.stats.bootstrap beside asof's paired bootstrap. One JSON object a line on standard input, one a line back.

First line: {"columns": [[cluster means], ...]}. Then, for each {"columns": K, "batch": B or null, "seed": S}: runs the
percentile bootstrap of the mean of the first K columns, all over the same resamples of clusters, and answers
{"seconds": ..., "intervals": [[lower, upper], ...]}.
"""

import json
import sys
import time

import numpy
import scipy
from scipy.stats import bootstrap


def main() -> None:
    data = numpy.array(json.loads(sys.stdin.readline())["columns"])
    print(json.dumps({"scipy": scipy.__version__, "numpy": numpy.__version__}), flush=True)
    for line in sys.stdin:
        task = json.loads(line)
        sample = data[0] if task["columns"] == 1 else data[: task["columns"]]
        start = time.perf_counter()
        result = bootstrap(
            (sample,),
            numpy.mean,
            n_resamples=5000,
            batch=task["batch"],
            vectorized=True,
            axis=-1,
            confidence_level=0.95,
            method="percentile",
            rng=task["seed"],
        )
        seconds = time.perf_counter() - start
        interval = result.confidence_interval
        bounds = numpy.stack([numpy.atleast_1d(interval.low), numpy.atleast_1d(interval.high)], axis=-1)
        print(json.dumps({"seconds": seconds, "intervals": bounds.tolist()}), flush=True)


if __name__ == "__main__":
    main()
