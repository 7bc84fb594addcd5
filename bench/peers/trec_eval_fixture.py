"""Writes the figures that the evaluation tests compare with: trec_eval's own, through pytrec_eval.

    python bench/peers/trec_eval_fixture.py > src/evaluation/testing/trecEval.fixture.json

Queries cover graded and binary labels, lists shorter than the cutoffs, lists without a relevant asset, exact ties,
scores that tie only as 32-bit floats, and ids whose order by bytes differs from that by UTF-16 code units.
"""

import json
import random
import sys

import pytrec_eval

CUTOFFS = [1, 5, 10, 20]
MEASURES = {"map", "recip_rank", *(f"{name}.{k}" for name in ("P", "recall", "ndcg_cut", "success") for k in CUTOFFS)}


def asset_id(number: int) -> str:
    """Some ids hold characters below and above the surrogates, which sort differently by bytes and by code units."""
    return {7: "x\uffee", 8: "x\U0001f600"}.get(number, f"d{number}")


def make_query(random_source: random.Random, kind: str) -> dict:
    pool = list(range(60))
    length = 12 if kind == "short" else 40
    ranked = random_source.sample(pool, length)
    if kind == "surrogates":
        ranked = [7, 8] + [number for number in ranked if number not in (7, 8)]
    score = {
        "ties": lambda: float(random_source.randrange(4)),
        "surrogates": lambda: 1.0,
        "single": lambda: 1.0 + random_source.randrange(6) * 1e-9,
    }.get(kind, random_source.random)
    relevant = random_source.sample(pool, random_source.randrange(2, 12))
    if kind == "miss":
        relevant = [number for number in relevant if number not in ranked] or [next(n for n in pool if n not in ranked)]
    if kind == "surrogates":
        relevant = [7] + [number for number in relevant if number not in (7, 8)]
    grade = (lambda: random_source.randrange(1, 5)) if kind == "graded" else (lambda: 1)
    return {
        "run": [[asset_id(number), score()] for number in ranked],
        "qrels": [[asset_id(number), grade()] for number in sorted(relevant)],
    }


def main() -> None:
    random_source = random.Random(20240301)
    kinds = ["plain", "graded", "ties", "single", "short", "miss", "surrogates"]
    queries = {f"{kind}{number}": make_query(random_source, kind) for kind in kinds for number in range(4)}
    qrels = {query: dict(data["qrels"]) for query, data in queries.items()}
    run = {query: dict(data["run"]) for query, data in queries.items()}
    measured = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)
    for query, data in queries.items():
        data["expected"] = measured[query]
    json.dump({"cutoffs": CUTOFFS, "queries": queries}, sys.stdout, indent=None, separators=(",", ":"))
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
