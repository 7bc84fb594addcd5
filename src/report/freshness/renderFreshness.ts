import { heatMap, heatMapStyle } from '../charts/heatMap.js';
import { htmlPage } from '../html/htmlPage.js';
import { pageStyle } from '../html/style.js';
import { dataTable, dataText, details, numericColumn } from '../html/table.js';
import { type Markup, markup } from '../markup/markup.js';
import {
  type FreshnessResults,
  halfLifeText,
  leakageHeader,
  leakageRow,
  methodRow,
  metricNames,
  queryRow,
  selectionHeader,
  selectionRow,
} from './freshnessRows.js';

/** The evaluation of freshness as one HTML page that stands alone. The same results give the same bytes. */
export function renderFreshness(results: FreshnessResults, tool: string): string {
  const { queries, cutoff, similarity, withoutRelevant } = results;
  const scored = queries.length - withoutRelevant.length;
  const summary = markup`<header><h1>Freshness</h1><p class="meta">${queries.length} queries, each as of its own time; measures at ${cutoff} over the ${scored} that have a relevant document by then. Similarity: ${similarity}.</p></header>
`;
  return htmlPage({
    title: 'asof evaluation of freshness',
    generator: tool,
    style: pageStyle + heatMapStyle,
    main: markup`${summary}${[methods(results), ...sweeps(results), leakage(results), perQuery(results)]}`,
    footer: markup`Made by ${tool}. Measures follow temporal RAG (arXiv 2509.19376), section 5.3; expected values are over random orders of equal scores.`,
  });
}

function methods(results: FreshnessResults): Markup {
  const table = dataTable({
    caption: 'Means over queries.',
    columns: [{ label: 'method' }, ...metricNames(results.cutoff).map(numericColumn)],
    rows: results.methods.map(methodRow),
  });
  return section('methods', 'Methods at their defaults', table);
}

function sweeps({ sweeps, cutoff }: FreshnessResults): Markup[] {
  if (sweeps.length === 0) return [];
  const maps = sweeps.flatMap((sweep) =>
    (['latest', 'latestSet', 'precision', 'ndcg'] as const).map((metric, at) => {
      const name = ['Latest', 'Latest-Set', 'P', 'nDCG'][at]!;
      const title = `${name}@${cutoff} of ${sweep.method}`;
      return markup`<figure><h3>${title}</h3>${heatMap({
        id: `${sweep.method}-${metric}`,
        title,
        description: `Means by alpha and half-life; the best is framed.`,
        rowLabel: 'alpha',
        rows: sweep.alphas.map(String),
        columnLabel: 'half-life',
        columns: sweep.halfLives.map(halfLifeText),
        values: sweep[metric],
      })}</figure>`;
    }),
  );
  const [method, name, ...numbers] = selectionHeader;
  const selection = dataTable({
    caption: `Latest@${cutoff} with parameters chosen on these very queries (hindsight), and chosen for each query on those before it (pit).`,
    columns: [{ label: method }, { label: name }, ...numbers.map(numericColumn)],
    rows: sweeps.map(selectionRow),
  });
  return [section('sweep', 'Sweep', markup`${maps}`), section('selection', 'Choice of parameters', selection)];
}

function leakage({ leakage, cutoff }: FreshnessResults): Markup | null {
  if (leakage.length === 0) return null;
  const [asOf, ...numbers] = leakageHeader;
  const tables = leakage.map(({ method, at }) =>
    dataTable({
      caption: `${method}: the same rows ranked with statistics of the full corpus instead of D_t, top ${cutoff}.`,
      columns: [{ label: asOf }, ...numbers.map(numericColumn)],
      rows: at.map(leakageRow),
    }),
  );
  return section('leakage', 'Statistics leakage', markup`${tables}`);
}

function perQuery(results: FreshnessResults): Markup {
  const tables = results.methods.map((result) => {
    const rows = results.queries.map((_, query) =>
      queryRow(results, query, result).map((cell, column) => (column < 2 ? dataText(cell) : cell)),
    );
    const columns = [{ label: 'query' }, { label: 'searched' }, { label: 'as of', isUnbroken: true }];
    const numbers = ['relevant', ...metricNames(results.cutoff)].map(numericColumn);
    return details(result.method, dataTable({ caption: result.method, columns: [...columns, ...numbers], rows }));
  });
  return section('queries', 'Queries', markup`${tables}`);
}

function section(id: string, title: string, content: Markup): Markup {
  return markup`<section id="${id}"><h2>${title}</h2>${content}</section>
`;
}
