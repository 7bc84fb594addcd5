"""Exact top-k by cosine in other libraries. One JSON object a line on standard input, one a line back.

First line: {"rows": path, "queries": path, "dimension": d, "threads": t, "folder": path}, the paths naming files of
float32 unit vectors, row-major. The answer names the versions. Then, for each {"peer": name, "depth": k, "queries": n}:
searches the first n queries and answers {"seconds": ..., "cpuSeconds": ..., "ids": [[...], ...]}, best first.
"""

import json
import os
import sys
import time

# Lance warns about every query on standard error; it reads this when loaded.
os.environ.setdefault("LANCE_LOG", "error")

import hnswlib  # noqa: E402
import lancedb  # noqa: E402
import numpy  # noqa: E402
import pyarrow  # noqa: E402
import threadpoolctl  # noqa: E402
import usearch  # noqa: E402
from usearch.index import MetricKind, search  # noqa: E402


def numpy_search(rows, queries, depth, _):
    scores = queries @ rows.T
    top = numpy.argpartition(scores, scores.shape[1] - depth, axis=1)[:, -depth:]
    order = numpy.argsort(-numpy.take_along_axis(scores, top, axis=1), axis=1)
    return numpy.take_along_axis(top, order, axis=1)


class Hnswlib:
    def __init__(self, rows, threads):
        self.index = hnswlib.BFIndex("ip", rows.shape[1])
        self.index.init_index(len(rows))
        self.index.add_items(rows)
        self.index.set_num_threads(threads)

    def __call__(self, _rows, queries, depth, threads):
        ids, _ = self.index.knn_query(queries, k=depth, num_threads=threads)
        return ids


def usearch_search(rows, queries, depth, threads):
    return search(rows, queries, depth, MetricKind.IP, exact=True, threads=threads).keys


class Lance:
    def __init__(self, rows, folder):
        vectors = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(rows.ravel()), rows.shape[1])
        data = pyarrow.table({"id": pyarrow.array(numpy.arange(len(rows))), "vector": vectors})
        self.table = lancedb.connect(folder).create_table("rows", data, mode="overwrite")

    def __call__(self, _rows, queries, depth, _):
        found = []
        for query in queries:
            result = self.table.search(query).distance_type("dot").select(["id", "_distance"]).limit(depth).to_arrow()
            found.append(result["id"].to_numpy())
        return numpy.stack(found)


def main() -> None:
    setup = json.loads(sys.stdin.readline())
    dimension = setup["dimension"]
    rows = numpy.fromfile(setup["rows"], dtype=numpy.float32).reshape(-1, dimension)
    queries = numpy.fromfile(setup["queries"], dtype=numpy.float32).reshape(-1, dimension)
    peers = {
        "numpy": numpy_search,
        "usearch": usearch_search,
        "hnswlib": Hnswlib(rows, setup["threads"]),
        "lancedb": Lance(rows, setup["folder"]),
    }
    blas = [(pool["internal_api"], pool["version"], pool["num_threads"]) for pool in threadpoolctl.threadpool_info()]
    versions = {"numpy": numpy.__version__, "usearch": usearch.__version__, "lancedb": lancedb.__version__}
    print(json.dumps({**versions, "hnswlib": "0.8.0", "blas": blas}), flush=True)
    for line in sys.stdin:
        task = json.loads(line)
        block = queries[: task["queries"]]
        start, cpu_start = time.perf_counter(), time.process_time()
        ids = peers[task["peer"]](rows, block, task["depth"], setup["threads"])
        spent = {"seconds": time.perf_counter() - start, "cpuSeconds": time.process_time() - cpu_start}
        print(json.dumps({**spent, "ids": numpy.asarray(ids).tolist()}), flush=True)


if __name__ == "__main__":
    main()
