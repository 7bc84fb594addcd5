import { basename } from 'node:path';
import { compareCodeUnits } from '../../corpus/corpus.js';
import type { InputRecord } from '../../corpus/readers/inputs.js';

/** An input as a run records it: under a name that no other input of its domain has, without its place. */
export interface NamedInput extends InputRecord {
  readonly name: string;
}

/**
 * Names the inputs of a domain by their files' names. Files of one name from several folders are told apart by a number,
 * `requests.jsonl`, `requests.jsonl#2`, given in the order of their content, so that no name says where a file lay.
 * @returns the inputs by file name, then SHA-256
 */
export function nameInputs(inputs: readonly InputRecord[]): NamedInput[] {
  const sorted = inputs
    .map((input) => ({ ...input, name: basename(input.path) }))
    .sort((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.sha256, b.sha256));
  const taken = new Set(sorted.map(({ name }) => name));
  return sorted.map((input, at) => {
    if (sorted[at - 1]?.name !== input.name) return input;
    let number = 2;
    while (taken.has(`${input.name}#${number}`)) number++;
    const name = `${input.name}#${number}`;
    taken.add(name);
    return { ...input, name };
  });
}

/** Names that stand for one input; runs of before names were made distinct may have others. */
export function distinctNames(inputs: readonly { readonly name: string }[]): Set<string> {
  const names = inputs.map(({ name }) => name);
  return new Set(names.filter((name) => names.indexOf(name) === names.lastIndexOf(name)));
}
