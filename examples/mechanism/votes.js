// A memory mechanism of one's own: every selected request votes for the assets it was shown first, whatever their ranks
// among these. Named in experiment.yaml beside this file.

/**
 * @param context traceDepth (how much of a request's list is read), idOrder (the last tie-breaker)
 * @param parameters of the experiment file; here `shown`, how many assets of a list get a vote (10 unless given)
 */
export function createMechanism({ traceDepth, idOrder }, { shown = 10 }) {
  const deepest = Math.min(shown, traceDepth);
  return {
    name: 'votes',
    version: '1',
    usesGold: false,
    reads: 'behaviour',
    parameters: { shown },

    rank({ baseRows, entryCount, entryTraces, entrySimilarities, visibleRows }, output) {
      const scores = new Map();
      const baseRanks = new Map();
      for (const [k, row] of baseRows.entries()) {
        scores.set(row, 1 / (k + 1));
        baseRanks.set(row, k + 1);
      }
      for (let k = 0; k < entryCount; k++) {
        for (const row of entryTraces[k].subarray(0, deepest)) {
          if (row < visibleRows) scores.set(row, (scores.get(row) ?? 0) + entrySimilarities[k] / entryCount);
        }
      }
      // The rule of every ranking in asof: score descending, base rank ascending, asset id ascending.
      const baseRank = (row) => baseRanks.get(row) ?? Number.MAX_SAFE_INTEGER;
      const ranked = [...scores].sort(
        ([a, scoreA], [b, scoreB]) => scoreB - scoreA || baseRank(a) - baseRank(b) || idOrder[a] - idOrder[b],
      );
      output.length = Math.min(ranked.length, output.rows.length);
      for (let k = 0; k < output.length; k++) [output.rows[k], output.scores[k]] = ranked[k];
    },
  };
}
