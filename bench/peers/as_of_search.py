"""Date-filtered search in LanceDB and SQLite FTS5: one JSON line in, one JSON line out.

load: {"documents": path of JSON lines {id, text, published}, "vectors": path of float32 rows, "dimension": n, "folder": path}
search: {"engine": "sqlite" | "lance-fts" | "lance-vector" | "lance-ann", "queries": [{text, vector, asOf}], "upTo": t or null}
With upTo, the engine's index is built from the documents published by then alone.
"""
import json, re, shutil, sqlite3, sys, time

import lancedb
from lancedb.index import FTS
import numpy
import pyarrow as pa

state = {}


def load(question):
    with open(question["documents"], encoding="utf-8") as lines:
        state["documents"] = [json.loads(line) for line in lines]
    with open(question["vectors"], "rb") as file:
        state["vectors"] = file.read()
    state["dimension"] = question["dimension"]
    state["folder"] = question["folder"]
    return {"documents": len(state["documents"])}


def chosen(up_to):
    return [i for i, d in enumerate(state["documents"]) if up_to is None or d["published"] <= up_to]


def sqlite_of(rows):
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE docs USING fts5(text, id UNINDEXED, published UNINDEXED, tokenize='porter unicode61')")
    documents = state["documents"]
    database.executemany(
        "INSERT INTO docs VALUES (?, ?, ?)",
        ((documents[i]["text"], documents[i]["id"], documents[i]["published"]) for i in rows),
    )
    database.commit()
    return database


def lance_of(rows, name):
    folder = f"{state['folder']}/{name}"
    shutil.rmtree(folder, ignore_errors=True)
    documents, dimension = state["documents"], state["dimension"]
    matrix = numpy.frombuffer(state["vectors"], dtype="<f4").reshape(-1, dimension)[rows]
    values = pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1)), dimension)
    table = pa.table({
        "id": [documents[i]["id"] for i in rows],
        "text": [documents[i]["text"] for i in rows],
        "published": pa.array([documents[i]["published"] for i in rows], pa.int64()),
        "vector": values,
    })
    created = lancedb.connect(folder).create_table("docs", table)
    created.create_index("text", config=FTS())
    return created


def terms(text):
    return re.findall(r"\w+", text.lower())


def search(question):
    engine, up_to = question["engine"], question.get("upTo")
    key = (engine.split("-")[0], up_to)
    if key not in state:
        rows = chosen(up_to)
        state[key] = sqlite_of(rows) if key[0] == "sqlite" else lance_of(rows, f"lance-{up_to}")
    index = state[key]
    if engine == "lance-ann" and ("ann", up_to) not in state:
        index.create_index(metric="cosine", index_type="IVF_HNSW_SQ")
        state[("ann", up_to)] = True
    answers, seconds = [], []
    for query in question["queries"]:
        start = time.perf_counter()
        t = query["asOf"]
        if engine == "sqlite":
            match = " OR ".join(f'"{term}"' for term in terms(query["text"]))
            found = index.execute(
                "SELECT id, -rank FROM docs WHERE docs MATCH ? AND published <= ? ORDER BY rank LIMIT 10", (match, t)
            ).fetchall()
        elif engine == "lance-fts":
            rows = index.search(query["text"], query_type="fts").where(f"published <= {t}", prefilter=True).limit(10)
            found = [(row["id"], row["_score"]) for row in rows.select(["id"]).to_list()]
        else:
            rows = index.search(query["vector"]).distance_type("cosine").where(f"published <= {t}", prefilter=True)
            if engine == "lance-vector":
                rows = rows.bypass_vector_index()
            found = [(row["id"], 1 - row["_distance"]) for row in rows.limit(10).select(["id"]).to_list()]
        seconds.append(time.perf_counter() - start)
        answers.append(found)
    return {"answers": answers, "seconds": seconds}


for line in sys.stdin:
    question = json.loads(line)
    answer = load(question) if "documents" in question else search(question)
    print(json.dumps(answer), flush=True)
