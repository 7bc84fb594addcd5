import type { Manifest } from '../audit/manifest.js';
import type { CellEffects } from '../replay/effects/effects.js';
import { goldTags } from './cellNames.js';
import { metricInfo } from './metricInfo.js';
import { counted, countRange, listed } from './words/phrases.js';

/** What was measured, and on what; a sentence each. */
export function measuredInWords(manifest: Manifest, cells: readonly CellEffects[]): string[] {
  const where = `Replayed on ${listed(manifest.domains.map(domainInWords))}; ${listed(streamsInWords(manifest))}; ${retrieversInWords(manifest)}; memory by ${listed(mechanismsInWords(manifest))}.`;
  if (cells.length === 0) return ['No anchor was replayed: nothing was measured.', where];
  const anchors = countRange(cells.map((cell) => cell.anchors));
  const requests = countRange(cells.map((cell) => cell.requests));
  const scope = `${cells.length === 1 ? 'one cell' : `${cells.length} cells`} of ${anchors} anchors (${requests} distinct requests)${cells.length === 1 ? '' : ' each'}`;
  const { label } = metricInfo(cells[0]!.headline);
  return [
    `Asset ${label} with no memory (Stateless), with past memory only (PIT) and with memory of the full stream (Future), for the same request over the same corpus, index, base list and budgets: ${scope}, compared within each anchor and averaged by request.`,
    where,
  ];
}

function domainInWords({ name, assets, requests }: Manifest['domains'][number]): string {
  return `${name} (${counted(assets, 'asset')}, ${counted(requests, 'request')})`;
}

/** Streams by label, over all domains, with their seeds. */
function streamsInWords({ domains }: Manifest): string[] {
  const streams = domains.flatMap((domain) => domain.streams);
  return [...new Set(streams.map(({ label }) => label))].map((label) => {
    const own = streams.filter((stream) => stream.label === label);
    const seeds = new Set(own.map(({ seed }) => seed)).size;
    const isSeeded = own.some(({ kind }) => kind !== 'natural');
    const tag = own.some(({ usesGold }) => usesGold) ? ` (${goldTags.stream})` : '';
    return `${label} stream${tag}${isSeeded ? ` with ${counted(seeds, 'seed')}` : ''}`;
  });
}

function retrieversInWords({ domains }: Manifest): string {
  const labels = [...new Set(domains.flatMap(({ retrievers }) => retrievers.map(({ label }) => label)))];
  return `retrieved by ${listed(labels)}`;
}

function mechanismsInWords({ mechanisms }: Manifest): string[] {
  return mechanisms.map(({ label, usesGold }) => (usesGold ? `${label} (${goldTags.mechanism})` : label));
}
