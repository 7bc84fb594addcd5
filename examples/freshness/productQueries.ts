import { sha256 } from '../../src/commitment/sha256.js';
import { compareCodeUnits } from '../../src/corpus/corpus.js';
import { RandomSource } from '../../src/random/RandomSource.js';
import { plain } from '../../src/retrieval/analysis/plain.js';
import { formatInstant } from '../../src/time/formatInstant.js';
import { millisecondsPerDay } from '../../src/time/instant.js';
import { parseInstant } from '../../src/time/parseInstant.js';
import { type Half, wordings } from './wordings.js';

export interface CveRecord {
  readonly published: string;
  readonly description: string;
  /** `vendor:product` of each. */
  readonly products: readonly string[];
}

export interface ProductQuery {
  readonly id: string;
  readonly text: string;
  readonly asOf: string;
  readonly product: string;
  /** How the name was written. */
  readonly style: string;
  readonly wording: string;
}

export interface ProductQueryOptions {
  readonly half: Half;
  /** Records that a product has at the time of the query, at least. */
  readonly fewest: number;
  /** Share of a product's records that hold its name, at least: no search of texts finds a name that no text has. */
  readonly naming: number;
  /** Wordings of each product, drawn with a fixed seed; all where there are no more. */
  readonly wordingsEach: number;
}

/**
 * Queries over labelled CVE records: some wordings of each product of a half (by the hash of its name, whatever the year),
 * each as of a time within a week after one of its records, the name written in one of several ways.
 */
export function productQueries(records: readonly CveRecord[], options: ProductQueryOptions): ProductQuery[] {
  const { half, fewest, naming, wordingsEach } = options;
  const random = new RandomSource(1, `freshness/queries/${half}`);
  const byProduct = recordsByProduct(records);
  const queries: ProductQuery[] = [];
  for (const product of [...byProduct.keys()].sort(compareCodeUnits)) {
    if (halfOf(product) !== half) continue;
    const own = byProduct.get(product)!;
    const name = product.slice(product.indexOf(':') + 1).replaceAll('\\', '');
    if (own.length < fewest || namingShare(name, own) < naming) continue;
    for (const wording of draw(wordings[half], wordingsEach, random)) {
      const newest = own[fewest - 1 + random.below(own.length - fewest + 1)]!;
      const week = 7 * 24 * 60;
      const asOf = parseInstant(newest.published) + random.below(week) * (millisecondsPerDay / (24 * 60));
      const [style, written] = writtenName(product, random);
      const id = `${product} ${queries.length}`;
      queries.push({ id, text: wording.replace('@', written), asOf: formatInstant(asOf), product, style, wording });
    }
  }
  return queries;
}

function recordsByProduct(records: readonly CveRecord[]): Map<string, CveRecord[]> {
  const byProduct = new Map<string, CveRecord[]>();
  for (const record of [...records].sort((a, b) => compareCodeUnits(a.published, b.published))) {
    for (const product of new Set(record.products)) {
      const known = byProduct.get(product);
      if (known === undefined) byProduct.set(product, [record]);
      else known.push(record);
    }
  }
  return byProduct;
}

function halfOf(product: string): Half {
  return sha256(`freshness/half/${product}`)[0]! % 2 === 0 ? 'design' : 'validation';
}

function namingShare(name: string, own: readonly CveRecord[]): number {
  const terms = plain.tokenize(name);
  const naming = own.filter(({ description }) => {
    const held = new Set(plain.tokenize(description));
    return terms.every((term) => held.has(term));
  });
  return naming.length / own.length;
}

function draw(all: readonly string[], count: number, random: RandomSource): string[] {
  const left = [...all];
  const drawn: string[] = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(random.below(left.length), 1));
  return drawn;
}

const capitalised = (words: string) =>
  words.replace(/(^|[ ])(\p{Ll})/gu, (_, before, letter) => before + letter.toUpperCase());

/** The half of the time as the words of the name, else in a way that changes it, where one does. */
function writtenName(product: string, random: RandomSource): [style: string, written: string] {
  const [vendor, name] = product.replaceAll('\\', '').split(':') as [string, string];
  const words = name.replaceAll('_', ' ');
  if (random.below(2) === 0) return ['words', words];
  const ways = {
    capitals: capitalised(words),
    upper: words.toUpperCase(),
    vendor: words.startsWith(vendor) ? words : `${vendor.replaceAll('_', ' ')} ${words}`,
    underscores: name.replaceAll('-', '_'),
    hyphens: name.replaceAll('_', '-'),
    joined: name.replace(/^([^_-]+)[_-]([^_-]+)$/, '$1$2'),
    parted: words.replaceAll('-', ' ').replace(/(\p{L}{2,})(\d)/gu, '$1 $2'),
    plural: /\p{L}$/u.test(words) && !words.endsWith('s') ? `${words}s` : words,
  };
  const changed = Object.entries(ways).filter(([, written]) => written !== words);
  return changed[random.below(changed.length)] ?? ['words', words];
}
