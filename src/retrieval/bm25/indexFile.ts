import { open, readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { sha256Hex } from '../../commitment/sha256.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { wording } from '../../errors/wording.js';
import type { Analyzer } from '../analysis/Analyzer.js';
import { frequencyArrays } from './frequencyArrays.js';
import { commitmentWords, type InvertedIndex } from './InvertedIndex.js';

/**
 * Index file, version 1: an `InvertedIndex` on disk.
 *
 * | bytes | holds |
 * | --- | --- |
 * | 0..7 | magic `asofbm25` |
 * | 8..11 | length of the header, little-endian |
 * | 12.. | header: JSON with version, analyzer, size and the lengths of the sections in order, then spaces |
 * | then | sections, each begun at a multiple of 8: arrays in little-endian order, terms in UTF-8, a line each |
 */
const magic = Buffer.from('asofbm25', 'latin1');
const version = 1;
const headerStart = 12;

const sectionTypes = {
  offsets: Uint32Array,
  postings: Uint32Array,
  pairFrequencies: Uint32Array,
  pairLengths: Uint32Array,
  distinctLengths: Uint32Array,
  lengthNumbers: Uint32Array,
  lengthSums: Float64Array,
  largestFrequencies: Uint32Array,
  shortestLengths: Uint32Array,
  commitments: Uint32Array,
  terms: Uint8Array,
} as const;

type SectionName = keyof typeof sectionTypes;
const sectionNames = Object.keys(sectionTypes) as SectionName[];

type Sections = { readonly [Name in SectionName]: InstanceType<(typeof sectionTypes)[Name]> };

interface Header {
  readonly version: number;
  readonly analyzer: string;
  readonly size: number;
  /** Bytes of each section. */
  readonly sections: Readonly<Record<SectionName, number>>;
}

/** Writes an index; its bytes depend on the index alone. */
export async function writeIndexFile(path: string, index: InvertedIndex): Promise<void> {
  requireLittleEndian();
  const bytes = Object.fromEntries(
    sectionNames.map((name) => {
      const content = name === 'terms' ? Buffer.from(index.terms.join('\n')) : index[name];
      return [name, new Uint8Array(content.buffer, content.byteOffset, content.byteLength)];
    }),
  ) as Record<SectionName, Uint8Array>;
  const sections = Object.fromEntries(sectionNames.map((name) => [name, bytes[name].byteLength]));
  const header = JSON.stringify({ version, analyzer: index.analyzer.id, size: index.size, sections });
  const headerEnd = alignedTo8(headerStart + Buffer.byteLength(header));
  const head = Buffer.alloc(headerEnd, ' ');
  magic.copy(head);
  head.writeUInt32LE(headerEnd - headerStart, magic.length);
  head.write(header, headerStart);
  const file = await open(path, 'wx');
  try {
    await file.writeFile(head);
    for (const name of sectionNames) {
      await file.writeFile(bytes[name]);
      await file.writeFile(new Uint8Array(alignedTo8(bytes[name].byteLength) - bytes[name].byteLength));
    }
  } finally {
    await file.close();
  }
}

/**
 * Reads an index back; arrays are views of the file's bytes.
 *
 * @param sha256 what the file must hash to
 * @throws MissingResourceError when there is no such file
 * @throws ForeignFileError when it is damaged, of another kind or version, or made by another analyzer
 */
export async function readIndexFile(path: string, sha256: string, analyzer: Analyzer): Promise<InvertedIndex> {
  requireLittleEndian();
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new MissingResourceError({
      resource: path,
      remedy: wording`index the workspace again (${{ command: 'index' }})`,
      cause,
    });
  });
  const refuse = (reason: string) => new ForeignFileError({ file: path, reason });
  if (sha256Hex(bytes) !== sha256) throw refuse('damaged: its bytes are not those that were written');
  if (!bytes.subarray(0, magic.length).equals(magic)) throw refuse('not an index file');
  const sectionsStart = headerStart + bytes.readUInt32LE(magic.length);
  const header: Header = JSON.parse(bytes.toString('utf8', headerStart, sectionsStart));
  if (header.version !== version) throw refuse(`index file of version ${header.version}, this asof reads ${version}`);
  if (header.analyzer !== analyzer.id) {
    throw refuse(`made by analyzer ${header.analyzer}, not by ${analyzer.id}`);
  }
  // A pooled buffer may begin anywhere; arrays of numbers may not.
  const whole = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  let start = sectionsStart;
  const arrays: Partial<Record<SectionName, Uint32Array | Float64Array | Uint8Array>> = {};
  for (const name of sectionNames) {
    const length = header.sections[name];
    const type = sectionTypes[name];
    arrays[name] = new type(whole.buffer, whole.byteOffset + start, length / type.BYTES_PER_ELEMENT);
    start += alignedTo8(length);
  }
  const { terms: termBytes, ...columns } = arrays as Sections;
  const text = Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.byteLength).toString();
  const terms = text === '' ? [] : text.split('\n');
  const { size } = header;
  if (columns.offsets.length !== terms.length + 1 || columns.commitments.length !== (size + 1) * commitmentWords) {
    throw refuse('damaged: its parts do not fit together');
  }
  let numbers: Map<string, number> | undefined;
  return {
    analyzer,
    size,
    terms,
    termNumber(term) {
      numbers ??= new Map(terms.map((text, number) => [text, number]));
      return numbers.get(term);
    },
    ...columns,
    frequentTerms: frequencyArrays(size, columns.offsets, columns.postings, columns.pairFrequencies),
  };
}

function alignedTo8(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/** All that Node runs on today is; elsewhere a wrong index would be worse than none. */
function requireLittleEndian(): void {
  if (endianness() !== 'LE') throw new Error('index files need a little-endian machine');
}
