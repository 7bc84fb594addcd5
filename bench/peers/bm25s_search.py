"""BM25 top-k in bm25s. One JSON object a line on standard input, one a line back.

First line: {"documents": path, "queries": path}: files of one text a line, terms parted by spaces. The answer names the
versions. Then, for each {"peer": "bm25s-numba" | "bm25s-numpy", "depth": k, "queries": n}: ranks the first n queries and
answers {"seconds": ..., "cpuSeconds": ..., "heads": [[[row, score], ...], ...]}, the heads being the first ten of the
first 500 lists.
"""

import json
import sys
import time

import bm25s
import numba
import numpy


def lines_of(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.split(" ") if line else [] for line in file.read().split("\n")[:-1]]


def main():
    setup = json.loads(sys.stdin.readline())
    documents = lines_of(setup["documents"])
    queries = lines_of(setup["queries"])
    retrievers = {}
    for backend in ("numba", "numpy"):
        start = time.perf_counter()
        retriever = bm25s.BM25(method="lucene", k1=1.5, b=0.75, backend=backend)
        retriever.index(documents, show_progress=False)
        retrievers[f"bm25s-{backend}"] = retriever
        seconds = time.perf_counter() - start
        # The first call compiles: it is not timed.
        retriever.retrieve(queries[:50], k=10, show_progress=False, n_threads=int(backend == "numba"))
    versions = {"bm25s": bm25s.__version__, "numba": numba.__version__, "numpy": numpy.__version__}
    print(json.dumps({"versions": {**versions, "python": sys.version.split()[0]}, "indexSeconds": seconds}), flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        retriever = retrievers[job["peer"]]
        # n_threads: 1 for numba; 0 is the numpy backend's way to say "no pool".
        threads = int(job["peer"] == "bm25s-numba")
        start, cpu = time.perf_counter(), time.process_time()
        rows, scores = retriever.retrieve(
            queries[: job["queries"]], k=job["depth"], show_progress=False, n_threads=threads
        )
        spent = {"seconds": time.perf_counter() - start, "cpuSeconds": time.process_time() - cpu}
        heads = [
            [[int(row), float(score)] for row, score in zip(list_rows[:10], list_scores[:10]) if score > 0]
            for list_rows, list_scores in zip(rows[:500], scores[:500])
        ]
        print(json.dumps({**spent, "heads": heads}), flush=True)


main()
