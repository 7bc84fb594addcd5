import { same } from './report.js';

/** Collects the rows of a run into cells: the shards that differ only in their seed. */
export class Cells {
  #cells = new Map();

  /** Takes the rows of one anchor. */
  add(rows, metrics) {
    const [{ domain, stream, stream_kind, stream_uses_gold, retriever, mechanism, mechanism_uses_gold }] = rows;
    const key = {
      ...{ domain, stream, streamKind: stream_kind, streamUsesGold: stream_uses_gold },
      ...{ retriever, mechanism, mechanismUsesGold: mechanism_uses_gold },
    };
    const name = JSON.stringify(key);
    if (!this.#cells.has(name)) this.#cells.set(name, { key, seeds: new Set(), anchors: [] });
    const cell = this.#cells.get(name);
    cell.seeds.add(rows[0].seed);
    const values = rows.map((row) => [
      row.condition,
      Object.fromEntries(metrics.map((metric) => [metric, row[metric]])),
    ]);
    cell.anchors.push({ request: rows[0].request, quartile: rows[0].quartile, of: Object.fromEntries(values) });
  }

  list() {
    return [...this.#cells.values()];
  }
}

/**
 * Lays effects.json beside the rows: every mean is computed again; of the intervals of the headline metric it is asked
 * whether an independent bootstrap puts them where they are.
 */
export function checkEffects(effects, cells, manifest, report) {
  const { bootstrap } = manifest.experiment;
  report.equal('effects', 'manifest, summary', manifest.summary, effects.summary);
  if (
    same(
      effects.cells?.map(({ key }) => key),
      cells.map(({ key }) => key),
    )
  ) {
    const [plain, stress] = [false, true].map((gold) => effects.cells.filter(({ key }) => key.streamUsesGold === gold));
    report.equal('effects', 'effects.json, summary', effects.summary, summaryOf(plain));
    report.equal('effects', 'effects.json, stressSummary', effects.stressSummary, summaryOf(stress));
  }
  report.equal('effects', 'effects.json, bootstrap', effects.bootstrap, bootstrap);
  report.equal(
    'effects',
    'effects.json, cells',
    effects.cells?.map(({ key }) => key),
    cells.map(({ key }) => key),
  );
  for (const [i, { key, seeds, anchors }] of cells.entries()) {
    const found = effects.cells?.[i];
    if (!same(found?.key, key)) continue;
    const where = `${key.domain} / ${key.stream} / ${key.retriever} / ${key.mechanism}`;
    report.equal('effects', `${where}: seeds`, found.seeds, [...seeds]);
    report.equal('effects', `${where}: anchors`, found.anchors, anchors.length);
    report.equal('effects', `${where}: headline`, found.headline, headlineOf(manifest.metrics));
    for (const condition of manifest.conditions) {
      for (const metric of manifest.metrics) {
        const { mean } = clusterMean(anchors, (at) => at.of[condition][metric]);
        near(report, `${where}: mean ${metric} of ${condition}`, found.means[condition]?.[metric], mean);
      }
    }
    for (const metric of manifest.metrics) checkContrasts(found.contrasts[metric], anchors, metric, where, report);
    const headline = found.contrasts[found.headline];
    for (const [name, [a, b]] of Object.entries(contrasts)) {
      checkInterval(
        headline?.[name],
        anchors,
        difference(a, b, found.headline),
        bootstrap,
        `${where}: ${name}`,
        report,
      );
    }
    for (const { horizon, gain } of found.dose) {
      const estimate = clusterMean(anchors, difference(`Future-${horizon}`, 'PIT', found.headline));
      near(report, `${where}: dose ${horizon}`, gain.mean, estimate.mean);
    }
    for (const each of found.quartiles) {
      const within = anchors.filter(({ quartile }) => quartile === each.quartile);
      for (const name of ['hindsightGain', 'pitEffect']) {
        const { mean } = clusterMean(within, difference(...contrasts[name], found.headline));
        near(report, `${where}: quartile ${each.quartile}, ${name}`, each[name].mean, mean);
      }
    }
  }
}

const contrasts = {
  hindsightGain: ['Future', 'PIT'],
  pitEffect: ['PIT', 'Stateless'],
  futureEffect: ['Future', 'Stateless'],
};

function headlineOf(metrics) {
  return metrics.filter((metric) => /^recall_\d+$/.test(metric)).at(-1);
}

function checkContrasts(found, anchors, metric, where, report) {
  for (const [name, [a, b]] of Object.entries(contrasts)) {
    const { mean, clusters, observations } = clusterMean(anchors, difference(a, b, metric));
    near(report, `${where}: ${name} of ${metric}`, found?.[name]?.mean, mean);
    const counts = [found?.[name]?.clusters, found?.[name]?.observations];
    report.equal('effects', `${where}: ${name} of ${metric}`, counts, [clusters, observations]);
  }
}

/** Difference of a metric between two conditions at an anchor; null where either has none. */
function difference(a, b, metric) {
  return ({ of }) => (of[a][metric] === null || of[b][metric] === null ? null : of[a][metric] - of[b][metric]);
}

/** Mean over requests of the mean over a request's anchors, of those that define the value. */
function clusterMean(anchors, value) {
  const byRequest = new Map();
  let observations = 0;
  for (const anchor of anchors) {
    const found = value(anchor);
    if (found === null) continue;
    observations++;
    if (!byRequest.has(anchor.request)) byRequest.set(anchor.request, []);
    byRequest.get(anchor.request).push(found);
  }
  const means = [...byRequest.values()].map((values) => values.reduce((sum, each) => sum + each, 0) / values.length);
  const mean = means.length === 0 ? null : means.reduce((sum, each) => sum + each, 0) / means.length;
  return { mean, means, clusters: means.length, observations };
}

const resamples = 2000;

/**
 * Asks of each bound b of an interval that resampled means fall below it as often as a bound there should have it. Seven
 * standard errors of the two bootstraps' counts are allowed: what a run of another seed would give passes, an interval that
 * was moved or narrowed does not.
 */
function checkInterval(estimate, anchors, value, bootstrap, where, report) {
  const { means } = clusterMean(anchors, value);
  const interval = estimate?.interval;
  if (!interval) {
    const spread = means.some((mean) => Math.abs(mean - means[0]) > 1e-9);
    report.holds('effects', !spread || means.length < 2, where, 'no interval', 'one, since requests differ');
    return;
  }
  const next = lehmer(means.length);
  const drawn = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < means.length; i++) sum += means[next()];
    return sum / means.length;
  });
  const tail = (1 - bootstrap.confidence) / 2;
  for (const [bound, share] of [
    [interval.lower, tail],
    [interval.upper, 1 - tail],
  ]) {
    const slack = 7 * Math.sqrt(tail * (1 - tail) * (1 / resamples + 1 / bootstrap.resamples));
    const below = drawn.filter((mean) => mean < bound - 1e-12).length / resamples;
    const upTo = drawn.filter((mean) => mean <= bound + 1e-12).length / resamples;
    const holds = below <= share + slack && upTo >= share - slack;
    report.holds('effects', holds, where, `bound ${bound} at ${below} to ${upTo}`, `at about ${share}`);
  }
}

/** A plain generator of indices below a bound (Lehmer, 48271 modulo 2^31 - 1): another one than the run's, on purpose. */
function lehmer(bound) {
  let state = 20_260_912;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

/** Means agree up to the order of their sums. */
function near(report, where, found, expected) {
  const close =
    found === expected ||
    (found !== null && expected !== null && Math.abs(found - expected) <= 1e-9 * (1 + Math.abs(expected)));
  report.holds('effects', close, where, found, expected);
}

/** What the cells say as a whole, mechanism by mechanism. Their means and headline intervals are checked one by one. */
function summaryOf(cells) {
  const mechanisms = [...new Set(cells.map(({ key }) => key.mechanism))];
  return mechanisms.map((mechanism) => {
    const own = cells.filter(({ key }) => key.mechanism === mechanism);
    const headlines = own.map(({ contrasts, headline }) => contrasts?.[headline]);
    const fractions = own.map((cell) => cell.maskedHarmFraction?.value ?? null).filter((value) => value !== null);
    return {
      mechanism,
      usesGold: own.some(({ key }) => key.mechanismUsesGold),
      hindsightGain: rangeOf(headlines.map((contrast) => contrast?.hindsightGain)),
      pitEffect: rangeOf(headlines.map((contrast) => contrast?.pitEffect)),
      maskedHarmFraction: fractions.length === 0 ? null : extremes(fractions),
    };
  });
}

function rangeOf(estimates) {
  const means = estimates.map((estimate) => estimate?.mean ?? null).filter((mean) => mean !== null);
  if (means.length === 0) return null;
  return {
    ...extremes(means),
    intervalsAboveZero: estimates.filter((estimate) => estimate?.interval?.lower > 0).length,
    intervalsBelowZero: estimates.filter((estimate) => estimate?.interval?.upper < 0).length,
  };
}

function extremes(values) {
  return { lowest: Math.min(...values), highest: Math.max(...values), cells: values.length };
}
