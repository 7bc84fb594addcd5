import { InvalidInputError } from '../../errors/InvalidInputError.js';
import {
  type MechanismContext,
  type MechanismInput,
  type MechanismOutput,
  type MemoryMechanism,
  newMechanismOutput,
} from '../../memory/mechanisms/mechanism.js';
import { rankedRows } from '../../retrieval/ranking.js';
import type { ModuleInput, ModuleMechanism } from './ownMechanism.js';

/** Where a mechanism comes from. */
interface Origin {
  readonly file: string;
  readonly sha256: string;
}

/**
 * A user's mechanism with what the replay relies on checked: what it says of itself once, every ranking as it is made. It is
 * handed copies, of lists those of the selected entries alone, and what it ranks is copied from it. Its parameters, and so
 * the version of the model in every row, carry the hash of its source.
 * @throws InvalidInputError naming the module's file, the member and its value
 */
export function checkedMechanism(
  mechanism: ModuleMechanism,
  context: MechanismContext,
  origin: Origin,
): MemoryMechanism {
  const fail = (field: string, value: unknown, expected: string, cause?: unknown) =>
    new InvalidInputError({ location: { file: origin.file, field }, value, expected, cause });
  if (typeof mechanism !== 'object' || mechanism === null) throw fail('createMechanism', mechanism, 'a mechanism');
  const { name, version, usesGold, reads, parameters } = mechanism;
  if (typeof name !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    throw fail('name', name, 'a name of letters, digits, dots, dashes and underscores');
  }
  if (typeof version !== 'string' || version === '') throw fail('version', version, 'a text that is not empty');
  if (usesGold !== false) throw fail('usesGold', usesGold, 'false: a module is handed no relevance labels');
  if (reads !== 'behaviour' && reads !== 'feedback') throw fail('reads', reads, "'behaviour' or 'feedback'");
  if (typeof parameters !== 'object' || parameters === null) throw fail('parameters', parameters, 'an object');
  for (const [key, value] of Object.entries(parameters)) {
    if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) continue;
    throw fail(`parameters.${key}`, value, 'a text or a finite number');
  }
  if (Object.hasOwn(parameters, 'module'))
    throw fail('parameters.module', parameters.module, 'another name: it is taken');
  if (typeof mechanism.rank !== 'function') throw fail('rank', mechanism.rank, 'a function (input, output)');

  const assets = context.idOrder.length;
  /** [assets] number of the last ranking that held the asset. */
  const heldBy = new Float64Array(assets);
  let ranking = 0;
  const check = (visibleRows: number, { rows, scores, length }: MechanismOutput, depth: number) => {
    ranking++;
    if (!Number.isInteger(length) || length < 0 || length > depth) {
      throw fail('rank, output.length', length, `0 to ${depth}`);
    }
    const available = Math.min(assets, visibleRows);
    for (let k = 0; k < length; k++) {
      const row = rows[k]!;
      if (!(row < available))
        throw fail(`rank, output.rows[${k}]`, row, `a row below ${available}, available at the anchor`);
      if (heldBy[row] === ranking) throw fail(`rank, output.rows[${k}]`, row, 'an asset that is not ranked already');
      heldBy[row] = ranking;
      const score = scores[k]!;
      if (!Number.isFinite(score) || (k > 0 && score > scores[k - 1]!)) {
        throw fail(`rank, output.scores[${k}]`, score, 'finite scores, descending');
      }
    }
  };
  return {
    ...{ name, version, usesGold, reads },
    parameters: { ...parameters, module: origin.sha256 },
    rank(input, output) {
      const { rows, scores } = output;
      const own = newMechanismOutput(rows.length);
      const handed = { ...own };
      try {
        mechanism.rank(copyOf(input, context), handed);
      } catch (cause) {
        throw fail('rank', cause instanceof Error ? cause.message : String(cause), 'a ranking', cause);
      }
      for (const member of ['rows', 'scores'] as const) {
        if (handed[member] === own[member]) continue;
        throw fail(`rank, output.${member}`, handed[member], 'the array that was handed, filled in place');
      }
      own.length = handed.length;
      check(input.visibleRows, own, rows.length);
      output.length = own.length;
      rows.set(own.rows);
      scores.set(own.scores);
    },
  };
}

/** What a ranking depends on, shared with nothing. */
function copyOf(input: MechanismInput, { traces, traceDepth }: MechanismContext): ModuleInput {
  const { baseRows, entryCount, visibleRows } = input;
  const entryRequests = input.entryRequests.slice(0, entryCount);
  return {
    baseRows: baseRows.slice(),
    entryCount,
    entryRequests,
    entrySimilarities: input.entrySimilarities.slice(0, entryCount),
    entryTraces: Array.from(entryRequests, (request) => rankedRows(traces, request).slice(0, traceDepth)),
    visibleRows,
  };
}
