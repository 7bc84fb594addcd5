/** Memory as the paper defines it: who may see what, what is selected, and how it changes a ranking. */

/** Conditions in the order of the rows of an anchor. */
export function conditionsOf({ horizons }) {
  const ascending = [...new Set(horizons)].sort((a, b) => a - b);
  return [
    ...['Stateless', 'PIT', 'Future', 'Naive'].map((name) => ({ name, horizon: null })),
    ...ascending.map((horizon) => ({ name: `Future-${horizon}`, horizon })),
  ];
}

/** Whether a condition may select the event at a position; `isPast`: all that it depends on was observed before. */
function isEligible({ name, horizon }, anchor, position, isPast) {
  if (position === anchor || name === 'Stateless') return false;
  if (name === 'Future' || name === 'Naive') return true;
  return isPast || (horizon !== null && position > anchor && position <= anchor + horizon);
}

/** Cosine of two requests' vectors; sums run over terms, or dimensions, in ascending order. */
export function similarityOf(requests) {
  if (requests[0]?.vector) {
    const vectors = requests.map(({ vector }) => Float32Array.from(vector));
    const norms = vectors.map((vector) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)));
    return (a, b) => {
      if (norms[a] === 0 || norms[b] === 0) return 0;
      let product = 0;
      for (let i = 0; i < vectors[a].length; i++) product += vectors[a][i] * vectors[b][i];
      return Math.max(-1, Math.min(1, product / (norms[a] * norms[b])));
    };
  }
  const squares = requests.map(({ vector_weights: w }) => w.reduce((sum, weight) => sum + weight * weight, 0));
  return (a, b) => {
    const { vector_terms: aTerms, vector_weights: aWeights } = requests[a];
    const { vector_terms: bTerms, vector_weights: bWeights } = requests[b];
    let product = 0;
    for (let i = 0, j = 0; i < aTerms.length && j < bTerms.length; ) {
      if (aTerms[i] === bTerms[j]) product += aWeights[i++] * bWeights[j++];
      else if (aTerms[i] < bTerms[j]) i++;
      else j++;
    }
    return product === 0 ? 0 : Math.min(1, product / Math.sqrt(squares[a] * squares[b]));
  };
}

/** All events that resemble the request at an anchor, most similar first, ties by position. */
export function candidatesAt(anchor, order, similarity) {
  return order
    .map((request, position) => ({ position, similarity: similarity(order[anchor], request) }))
    .filter((candidate) => candidate.similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || a.position - b.position);
}

/** What a condition selects out of the candidates of an anchor. @param newest by position */
export function select(condition, anchor, clock, candidates, newest, capacity) {
  const chosen = [];
  for (const candidate of candidates) {
    if (chosen.length === capacity) break;
    const { position } = candidate;
    if (isEligible(condition, anchor, position, newest[position] < clock)) chosen.push(candidate);
  }
  return chosen;
}

/** Memory signal of each asset: { row -> signal } under a mechanism of the manifest; undefined for one that is unknown. */
const signals = {
  /** u(a) = sum over entries of s^2 / log2(r + 2), r the 0-based rank of a in the entry's trace. */
  trace(entries, { base, traceDepth }) {
    const signal = new Map();
    for (const { request, similarity } of entries) {
      for (const [rank, row] of base[request].ranked.slice(0, traceDepth).entries()) {
        signal.set(row, (signal.get(row) ?? 0) + (similarity * similarity) / Math.log2(rank + 2));
      }
    }
    return signal;
  },
  /** bonus(a) = max over entries with a in their product of s^2. */
  feedback(entries, { requests }) {
    const signal = new Map();
    for (const { request, similarity } of entries) {
      for (const row of requests[request].product) {
        signal.set(row, Math.max(signal.get(row) ?? 0, similarity * similarity));
      }
    }
    return signal;
  },
};

export function isKnownMechanism({ name, version }) {
  return Object.hasOwn(signals, name) && version === '1';
}

/**
 * The ranking at an anchor: 1/base rank + scaled memory, descending; ties by base rank, then by asset id.
 * @param entries [{ request, similarity }]
 */
export function rank({ name, parameters }, baseRows, entries, visibleRows, context) {
  const signal = new Map([...signals[name](entries, context)].filter(([row]) => row < visibleRows));
  const largest = Math.max(0, ...signal.values());
  const unscaled = parameters.normalise === 'none';
  const weight = name === 'trace' ? parameters.weight : parameters.largestBonus;
  const scale = unscaled ? weight : largest > 0 ? weight / largest : 0;
  const baseRank = new Map(baseRows.map((row, i) => [row, i + 1]));
  const score = (row) => (baseRank.has(row) ? 1 / baseRank.get(row) : 0) + scale * (signal.get(row) ?? 0);
  return [...new Set([...baseRows, ...signal.keys()])]
    .map((row) => ({ row, score: score(row), base: baseRank.get(row) ?? Infinity, id: context.idOrder[row] }))
    .sort((a, b) => b.score - a.score || (a.base === b.base ? a.id - b.id : a.base - b.base))
    .slice(0, context.outputDepth)
    .map(({ row }) => row);
}

/** Metrics of a ranking by name; null where the product has no asset of the type, or 80% of it is never reached. */
export function metricsOf(names, ranking, product, typeOf) {
  const rankOf = new Map(ranking.map((row, i) => [row, i + 1]));
  const ranks = product.flatMap((row) => rankOf.get(row) ?? []).sort((a, b) => a - b);
  const share = (rows, cutoff) =>
    rows.length === 0 ? null : rows.filter((row) => rankOf.get(row) <= cutoff).length / rows.length;
  return Object.fromEntries(
    names.map((name) => {
      if (name === 'rank_80') {
        const needed = product.findIndex((_, i) => (i + 1) / product.length >= 0.8);
        return [name, ranks[needed] ?? null];
      }
      const [, kind, cutoff, type] = /^(recall|coverage|complete)_(\d+)(?:_(.+))?$/.exec(name);
      const rows = type === undefined ? product : product.filter((row) => typeOf(row) === type);
      const value = share(rows, Number(cutoff));
      return [name, kind === 'complete' && value !== null ? Math.floor(value) : value];
    }),
  );
}
