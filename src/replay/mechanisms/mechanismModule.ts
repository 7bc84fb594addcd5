import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { sha256Hex } from '../../commitment/sha256.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import type { MechanismContext, MemoryMechanism } from '../../memory/mechanisms/mechanism.js';
import type { Experiment, MechanismSpec } from '../experiment/experiment.js';
import { checkedMechanism } from './checkedMechanism.js';
import type { CreateMechanism, ModuleMechanism } from './ownMechanism.js';

/** The source of a module, as it goes to worker threads. */
export interface MechanismSource {
  readonly file: string;
  /** Its bytes. */
  readonly source: Uint8Array;
}

export type ModuleSpec = Extract<MechanismSpec, { kind: 'module' }>;

/** Modules of this thread by the SHA-256 of their source: the same source is the same module, wherever it lay. */
const loaded = new Map<string, MechanismSource & { readonly create: CreateMechanism }>();

/**
 * Loads the modules that an experiment names, and binds the experiment to their content.
 * @param locationOf where the experiment names the module of its mechanism `index`, for messages
 * @returns the experiment, each module with the hash of its source
 * @throws MissingResourceError when a module is not there
 * @throws InvalidInputError when it cannot be loaded, exports no `createMechanism`, or is not the one whose hash is given
 */
export async function loadMechanisms(
  experiment: Experiment,
  locationOf: (index: number) => string = (index) => `mechanisms[${index}].module`,
): Promise<Experiment> {
  const mechanisms = await Promise.all(
    experiment.mechanisms.map(async (spec, index) => {
      if (spec.kind !== 'module') return spec;
      if (spec.sha256 !== undefined && loaded.has(spec.sha256)) return spec;
      const sha256 = await loadMechanismFile(spec.module, locationOf(index));
      if (spec.sha256 === undefined || spec.sha256 === sha256) return { ...spec, sha256 };
      const expected = `the module whose SHA-256 is ${spec.sha256}`;
      throw new InvalidInputError({ location: { file: spec.module }, value: sha256, expected });
    }),
  );
  return { ...experiment, mechanisms };
}

/**
 * Loads a module from a file.
 * @param location where the file is named, for messages
 * @returns SHA-256 (hexadecimal) of its bytes
 */
export async function loadMechanismFile(file: string, location: string): Promise<string> {
  const source = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    const remedy = `${location} names it as a mechanism module, and it cannot be read (${cause.code})`;
    throw new MissingResourceError({ resource: file, remedy, cause });
  });
  return loadMechanismSource({ file, source });
}

/**
 * Loads a module from its source. It is imported by its bytes, not from its place, so that what runs is what the hash is of:
 * it cannot import other files or packages, only `node:` modules.
 */
export async function loadMechanismSource({ file, source }: MechanismSource): Promise<string> {
  const sha256 = sha256Hex(source);
  if (loaded.has(sha256)) return sha256;
  const bytes = Buffer.from(source).toString('base64');
  const exported: Record<string, unknown> = await import(`data:text/javascript;base64,${bytes}`).catch(
    (cause: unknown) => {
      const expected =
        'a JavaScript module that stands alone: it is loaded by its content and can import node: modules only';
      throw new InvalidInputError({ location: { file }, value: messageOf(cause), expected, cause });
    },
  );
  const create = exported.createMechanism;
  if (typeof create !== 'function') {
    const location = { file, field: 'createMechanism' };
    throw new InvalidInputError({ location, value: create, expected: 'an exported function (context, parameters)' });
  }
  loaded.set(sha256, { file, source, create: create as CreateMechanism });
  return sha256;
}

/** Sources of the loaded modules that an experiment names, for other threads. */
export function mechanismSources({ mechanisms }: Pick<Experiment, 'mechanisms'>): MechanismSource[] {
  return mechanisms.flatMap((spec) => {
    if (spec.kind !== 'module') return [];
    const { file, source } = loadedModule(spec);
    return { file, source };
  });
}

/**
 * The mechanism of a module that has been loaded, watched at every ranking. It is handed copies, and of the requests' lists
 * those of the selected entries alone: what others read it can neither change nor see.
 */
export function createModuleMechanism(spec: ModuleSpec, context: MechanismContext): MemoryMechanism {
  const { file, create } = loadedModule(spec);
  const { traceDepth, idOrder } = context;
  let mechanism: ModuleMechanism;
  try {
    mechanism = create({ traceDepth, idOrder: idOrder.slice() }, { ...spec.parameters });
  } catch (cause) {
    const location = { file, field: 'createMechanism' };
    throw new InvalidInputError({ location, value: messageOf(cause), expected: 'a mechanism', cause });
  }
  return checkedMechanism(mechanism, context, { file, sha256: spec.sha256! });
}

function loadedModule({ module, sha256 }: ModuleSpec) {
  const known = sha256 === undefined ? undefined : loaded.get(sha256);
  if (known !== undefined) return known;
  throw new MissingResourceError({
    resource: `mechanism module ${basename(module)} (SHA-256 ${sha256 ?? 'not known'})`,
    remedy: 'rankings of this run can be made again with that file only; name it with --mechanism-module',
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
