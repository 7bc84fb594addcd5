import type {
  MechanismContext,
  MechanismInput,
  MechanismOutput,
  MemoryMechanism,
} from '../../memory/mechanisms/mechanism.js';

/** Parameters as an experiment file gives them; they are part of the run's identity. */
export type ModuleParameters = Readonly<Record<string, string | number>>;

/** What a user's mechanism is built on: nothing of any request. Its own copy. */
export type ModuleContext = Omit<MechanismContext, 'traces'>;

/** Everything that a user's mechanism may use to rank at one anchor: copies, made for this ranking. */
export interface ModuleInput extends MechanismInput {
  /** [entryCount] base list of each entry's request, to the depth that traces are read: corpus rows, best first. */
  readonly entryTraces: readonly Uint32Array[];
}

/**
 * A user's mechanism. `rank` depends on its input alone: what it keeps from one ranking to the next may be of entries that
 * the next did not select. The audit, which makes the rankings again in another order, rejects what comes of that.
 */
export interface ModuleMechanism extends Omit<MemoryMechanism, 'rank' | 'rankViews'> {
  /** Ranks for one anchor: fills the arrays of `output` in place, and sets its length. With no entries: the base list. */
  rank(input: ModuleInput, output: MechanismOutput): void;
}

/**
 * What a user's module exports as `createMechanism`: a memory mechanism over a corpus. It is also called with an empty
 * corpus, to hear what the mechanism says of itself.
 */
export type CreateMechanism = (context: ModuleContext, parameters: ModuleParameters) => ModuleMechanism;
