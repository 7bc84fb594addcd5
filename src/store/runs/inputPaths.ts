import path from 'node:path';
import { isUrl } from '../../corpus/hub.js';

/** Paths of a run's input files by domain and name, as `recorded.inputs` of its manifest keeps them. */
export type InputPaths = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Whether a path means the same wherever it is read from. */
const isFixed = (input: string) => path.isAbsolute(input) || isUrl(input);

/** The path that a run keeps of an input: a relative one relative to the run's folder, so that it means one file from wherever it is read. */
export function keptInputPath(folder: string, input: string): string {
  if (isFixed(input)) return input;
  return path.relative(path.resolve(folder), path.resolve(input)).split(path.sep).join('/');
}

/** The file that a kept path means. */
export function inputFile(folder: string, kept: string): string {
  return path.resolve(folder, kept);
}

/** Kept paths of one run as another run keeps them. */
export function rebasedInputs(inputs: InputPaths | undefined, from: string, to: string): InputPaths | undefined {
  if (inputs === undefined) return undefined;
  const rebased = (kept: string) => (isFixed(kept) ? kept : keptInputPath(to, path.join(from, kept)));
  return Object.fromEntries(
    Object.entries(inputs).map(([domain, files]) => [
      domain,
      Object.fromEntries(Object.entries(files).map(([name, kept]) => [name, rebased(kept)])),
    ]),
  );
}
