"""The paired replay in NumPy and SciPy, as one would write it with care: vectorised within a row, shared work done once.

One JSON object a line on standard input, one a line back. First line: {"folder": ..., and the sizes}: reads the arrays that
bench/replay.ts wrote. Then, for each {"stream": s}: replays the stream and answers {"seconds", "cpuSeconds", "rows",
"recall": {condition: mean recall at the deepest cutoff}, "positions": checksum of the selected positions}.
"""

import hashlib
import json
import os
import sys
import time

import numpy as np
import scipy.sparse as sparse


def read(folder: str, name: str, dtype: str) -> np.ndarray:
    return np.fromfile(os.path.join(folder, name), dtype=dtype)


class Replay:
    def __init__(self, setup: dict) -> None:
        folder = setup["folder"]
        self.n = setup["requests"]
        self.assets = setup["assets"]
        self.depth = setup["depth"]
        self.trace_depth = setup["traceDepth"]
        self.capacity = setup["capacity"]
        self.horizons = setup["horizons"]
        self.cutoffs = setup["cutoffs"]
        self.types = setup["types"]
        self.base = read(folder, "base_rows", "<u4").reshape(self.n, self.depth).astype(np.int64)
        self.lengths = read(folder, "base_lengths", "<u4").astype(np.int64)
        self.type_of = read(folder, "types", "<u2")
        self.id_order = read(folder, "id_order", "<u4").astype(np.int64)
        offsets = read(folder, "product_offsets", "<u4")
        rows = read(folder, "product_rows", "<u4").astype(np.int64)
        self.products = [rows[offsets[r] : offsets[r + 1]] for r in range(self.n)]
        vectors = sparse.csr_matrix(
            (read(folder, "weights", "<f8"), read(folder, "terms", "<u4").astype(np.int32), read(folder, "offsets", "<u4").astype(np.int32))
        )
        norms = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel())
        norms[norms == 0] = 1
        self.vectors = sparse.diags(1 / norms) @ vectors
        self.transposed = self.vectors.T.tocsc().tocsr()
        self.discounts = np.log2(np.arange(self.trace_depth) + 2)
        # Rows of traces, padded with the first row and weight zero.
        columns = np.arange(self.trace_depth)
        self.shown = columns[None, :] < self.lengths[:, None]
        self.trace_rows = np.where(self.shown, self.base[:, : self.trace_depth], 0)
        self.gains = np.where(self.shown, 1 / self.discounts, 0.0)
        self.memory = np.zeros(self.assets)
        self.base_score = np.zeros(self.assets)
        self.tie = self.id_order + 65536

    def rank(self, request: int, entries: np.ndarray, similarities: np.ndarray) -> np.ndarray:
        base = self.base[request, : self.lengths[request]]
        if len(entries) > 0:
            rows = self.trace_rows[entries].ravel()
            weights = ((similarities**2)[:, None] * self.gains[entries]).ravel()
            memory = np.bincount(rows, weights=weights, minlength=self.assets)
            candidates = np.union1d(base, rows[weights > 0])
            signal = memory[candidates]
            largest = signal.max()
            scores = signal / largest if largest > 0 else signal
        else:
            candidates = np.sort(base)
            scores = np.zeros(len(candidates))
        ties = self.tie[candidates]
        at = np.searchsorted(candidates, base)
        ranks = np.arange(1, len(base) + 1)
        scores[at] += 1 / ranks
        ties[at] = ranks
        if len(scores) > 2 * self.depth:
            kept = np.argpartition(-scores, self.depth + 50)[: self.depth + 50]
            cut = scores[kept].min()
            kept = np.flatnonzero(scores >= cut)
        else:
            kept = np.arange(len(scores))
        order = kept[np.lexsort((ties[kept], -scores[kept]))][: self.depth]
        return candidates[order]

    def measure(self, ranking: np.ndarray, product: np.ndarray) -> list:
        hit = np.isin(ranking, product, assume_unique=True)
        found = np.cumsum(hit)
        size = len(ranking)
        recalls = [found[min(k, size) - 1] / len(product) if size else 0.0 for k in self.cutoffs]
        kinds = self.type_of[product]
        for kind in range(self.types):
            gold = np.count_nonzero(kinds == kind)
            of_kind = np.cumsum(hit & (self.type_of[ranking] == kind))
            recalls += [of_kind[min(k, size) - 1] / gold if gold and size else np.nan for k in self.cutoffs]
        needed = np.ceil(0.8 * len(product))
        reached = np.searchsorted(found, needed) + 1
        recalls += [recalls[len(self.cutoffs) - 1], float(recalls[len(self.cutoffs) - 1] == 1), reached if reached <= size else np.nan]
        return recalls

    def stream(self, folder: str, seed: int) -> dict:
        order = read(folder, f"order_{seed}", "<u4").astype(np.int64)
        anchors = read(folder, f"anchors_{seed}", "<u4").astype(np.int64)
        positions = np.arange(self.n)
        names = ["Stateless", "PIT", "Future", "Naive"] + [f"Future-{h}" for h in self.horizons]
        recall = {name: 0.0 for name in names}
        checksum = 0
        metrics = []
        hashes = []
        violations = []
        for anchor in anchors:
            request = order[anchor]
            by_request = (self.vectors[request] @ self.transposed).toarray().ravel()
            similarities = by_request[order]
            # One stable sort an anchor serves every view: most similar first, ties by position.
            ranked = np.argsort(-similarities, kind="stable")
            ranked = ranked[(similarities[ranked] > 0) & (ranked != anchor)]
            ahead = ranked - anchor
            for name in names:
                if name == "Stateless":
                    selected = ranked[:0]
                elif name == "PIT":
                    selected = ranked[ahead < 0][: self.capacity]
                elif name == "Future":
                    selected = ranked[: self.capacity]
                elif name == "Naive":
                    # Its own path, as the control demands: memory of the full stream, then the own trace dropped.
                    full = np.lexsort((positions, -similarities))[: self.capacity + 1]
                    full = full[similarities[full] > 0]
                    selected = full[full != anchor][: self.capacity]
                else:
                    selected = ranked[ahead <= int(name[7:])][: self.capacity]
                nearest = similarities[selected]
                ranking = self.rank(request, order[selected], nearest)
                row = self.measure(ranking, self.products[request])
                metrics.append(row)
                hashes.append(hashlib.sha256(ranking.astype("<u4").tobytes()).digest())
                clocks = selected.astype("<f8")
                selection = selected.astype("<u4").tobytes() + nearest.tobytes() + clocks.tobytes()
                hashes.append(hashlib.sha256(selection).digest())
                violations.append(np.count_nonzero(clocks >= anchor) / max(1, len(clocks)))
                recall[name] += row[len(self.cutoffs) - 1]
                checksum += int(selected.sum())
        rows = len(anchors) * len(names)
        return {"rows": rows, "recall": {name: value / len(anchors) for name, value in recall.items()}, "positions": checksum}


def main() -> None:
    setup = json.loads(sys.stdin.readline())
    replay = Replay(setup)
    print(json.dumps({"numpy": np.__version__}), flush=True)
    for line in sys.stdin:
        task = json.loads(line)
        start, cpu = time.perf_counter(), time.process_time()
        answer = replay.stream(setup["folder"], task["stream"])
        answer["seconds"] = time.perf_counter() - start
        answer["cpuSeconds"] = time.process_time() - cpu
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
